import {
  conditionLimits,
  parseCondition,
  type Comparison,
  type Condition,
  type Literal,
} from './parseCondition.ts';

/** The claims about a visitor, from JSON. Unsigned claims are under `unsigned`. */
export type VisitorClaims = Readonly<Record<string, unknown>>;

/**
 * Tells whether a condition shows its item to a visitor with these claims. Never throws: an invalid condition
 * is not met.
 *
 * A missing claim, or a comparison with a value of another type, makes that part *unknown*, neither true nor
 * false:
 * - `!unknown` is unknown, so that without the claim neither `visitor.claims.beta == true` nor
 *   `!(visitor.claims.beta == true)` is met;
 * - `unknown || true` is true and `unknown && false` is false, in either order: a known side may decide;
 * - a condition that is unknown as a whole is not met.
 *
 * Only booleans are true or false: a text or a number alone is unknown; `visitor.claims.plan != null` asks
 * whether the claim exists. `"x" in visitor.claims` asks the same for any claim and is never unknown;
 * `"a" in visitor.claims.roles` searches a list.
 */
export function isConditionMet(text: string, claims: VisitorClaims): boolean {
  const parsed = parseCondition(text);
  if ('problem' in parsed) return false;
  try {
    return evaluate(parsed.condition, { claims, left: conditionLimits.parts }) === true;
  } catch {
    // Claims are plain JSON; other values must not break the site that asks.
    return false;
  }
}

/** undefined means unknown. */
type Value = Literal | readonly unknown[] | VisitorClaims | undefined;
type Evaluation = { claims: VisitorClaims; left: number };

function evaluate(condition: Condition, evaluation: Evaluation): Value {
  // The parser already limits conditions; this is a second bound.
  evaluation.left -= 1;
  if (evaluation.left < 0) return undefined;
  switch (condition.kind) {
    case 'literal':
      return condition.value;
    case 'list':
      return condition.values;
    case 'claim':
      return claimAt(evaluation.claims, condition.path);
    case 'not': {
      const operand = evaluate(condition.operand, evaluation);
      return typeof operand === 'boolean' ? !operand : undefined;
    }
    case 'and':
    case 'or':
      return connect(condition, evaluation);
    case 'compare':
      return compare(
        condition.operator,
        evaluate(condition.left, evaluation),
        evaluate(condition.right, evaluation),
      );
  }
}

function connect(
  { kind, left, right }: Extract<Condition, { kind: 'and' | 'or' }>,
  evaluation: Evaluation,
): boolean | undefined {
  const decides = kind === 'or';
  const first = evaluate(left, evaluation);
  if (first === decides) return decides;
  const second = evaluate(right, evaluation);
  if (second === decides) return decides;
  return typeof first === 'boolean' && typeof second === 'boolean' ? !decides : undefined;
}

function compare(operator: Comparison, left: Value, right: Value): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (operator === 'in') return isIn(left, right);
  if (operator === '==' || operator === '===') return isEqual(left, right);
  if (operator === '!=' || operator === '!==') {
    const equal = isEqual(left, right);
    return equal === undefined ? undefined : !equal;
  }
  const comparable =
    (typeof left === 'number' && typeof right === 'number') ||
    (typeof left === 'string' && typeof right === 'string');
  if (!comparable || Number.isNaN(left) || Number.isNaN(right)) return undefined;
  return { '<': left < right, '<=': left <= right, '>': left > right, '>=': left >= right }[operator];
}

/** Everything can be compared with null; lists and objects only with null. */
function isEqual(left: Exclude<Value, undefined>, right: Exclude<Value, undefined>): boolean | undefined {
  if (left === null || right === null) return left === right;
  if (typeof left !== typeof right || typeof left === 'object') return undefined;
  return Number.isNaN(left) || Number.isNaN(right) ? undefined : left === right;
}

function isIn(left: Exclude<Value, undefined>, right: Exclude<Value, undefined>): boolean | undefined {
  if (typeof left === 'object' && left !== null) return undefined;
  if (Array.isArray(right)) return right.includes(left);
  if (typeof right !== 'object' || right === null || typeof left !== 'string') return undefined;
  return Object.hasOwn(right, left);
}

/** Reads own properties only: never `constructor`, `toString` or a method of a list. */
function claimAt(claims: VisitorClaims, path: readonly string[]): Value {
  let value: unknown = claims;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as VisitorClaims)[name];
  }
  return isValue(value) ? value : undefined;
}

function isValue(value: unknown): value is Value {
  return value === null || ['string', 'number', 'boolean', 'object'].includes(typeof value);
}
