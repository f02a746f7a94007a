import jsep from 'jsep';

/** A parsed condition. These are all kinds of nodes that can be evaluated; nothing else is accepted. */
export type Condition =
  | { kind: 'literal'; value: Literal }
  | { kind: 'list'; values: Literal[] }
  /** `visitor.claims.<path>`, and `visitor.claims` itself with an empty path. */
  | { kind: 'claim'; path: string[] }
  | { kind: 'not'; operand: Condition }
  | { kind: 'and' | 'or'; left: Condition; right: Condition }
  | { kind: 'compare'; operator: Comparison; left: Condition; right: Condition };

export type Literal = string | number | boolean | null;
export type Comparison = keyof typeof comparisons;

/** Limits of a condition: characters of text, parts of the expression, and values of one list in it. */
export const conditionLimits = { length: 1024, parts: 200, listLength: 32 } as const;

/** Describes the problem of a condition's text, as `must ...`; undefined when it is valid. */
export function conditionProblem(text: string): string | undefined {
  const parsed = parseCondition(text);
  return 'problem' in parsed ? parsed.problem : undefined;
}

/**
 * Parses the text of a condition, such as `visitor.claims.plan == "pro" && !(visitor.claims.country in ["xx",
 * "yy"])`.
 *
 * jsep only splits the text; this module decides on the permitted parts, and never runs any of it as code.
 * Never throws.
 */
export function parseCondition(text: string): { condition: Condition } | { problem: string } {
  if (text.length === 0 || text.length > conditionLimits.length)
    return { problem: `must have 1 to ${conditionLimits.length} characters` };
  if (text.trim() === '') return { problem: `must be an expression: ${allowed}` };
  try {
    refuseSeparators(text);
    const reading = { parts: 0 };
    return { condition: read(parser(text), reading) };
  } catch (error) {
    if (error instanceof NotAllowed) return { problem: error.message };
    // jsep's own errors name the character; any other error is a stack overflow from thousands of
    // parentheses.
    const reason = error instanceof Error && 'description' in error ? error.message : 'it cannot be read';
    return { problem: `must be a condition, but ${reason}. ${allowed}` };
  }
}

const allowed =
  'Allowed are visitor.claims.<name>, texts, numbers, true, false, null, the operators ! == != === !== < <= > >= in && ||, lists such as ["a", "b"] after `in`, and parentheses';

const comparisons = {
  '==': 6,
  '===': 6,
  '!=': 6,
  '!==': 6,
  '<': 7,
  '<=': 7,
  '>': 7,
  '>=': 7,
  in: 7,
} as const;

/** jsep has one configuration for the whole process, so no other module may import it. */
const parser = (() => {
  jsep.removeAllUnaryOps();
  for (const operator of ['!', '-']) jsep.addUnaryOp(operator);
  jsep.removeAllBinaryOps();
  for (const [operator, precedence] of Object.entries({ '||': 1, '&&': 2, ...comparisons }))
    jsep.addBinaryOp(operator, precedence);
  return jsep;
})();

class NotAllowed extends Error {}

/**
 * jsep silently skips parts of `a; b`, `a, b` and `[1 2,,3]`: the stored condition must equal the evaluated
 * one.
 */
function refuseSeparators(text: string): void {
  const withoutTexts = text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '""');
  const withoutLists = withoutTexts.replaceAll(/\[[^[\]]*\]/g, '[]');
  if (withoutTexts.includes(';')) throw notAllowed('semicolons');
  if (withoutLists.includes(',')) throw notAllowed('commas outside of a list');
  for (const [list] of withoutTexts.matchAll(/\[[^[\]]*\]/g))
    if (list !== '[]' && !list.slice(1, -1).split(',').every(isOneValue))
      throw new NotAllowed(
        `must have one text, number, true, false or null between the commas of a list. ${allowed}`,
      );
}

/** Expects a part of a list whose texts were removed. */
function isOneValue(part: string): boolean {
  return /^(?:""|-?\s*[\w.]+(?:[-+]\d+)?)$/.test(part.trim());
}

function read(node: jsep.Expression, reading: { parts: number }): Condition {
  reading.parts += 1;
  if (reading.parts > conditionLimits.parts)
    throw new NotAllowed(`must have at most ${conditionLimits.parts} parts`);
  const core = node as jsep.CoreExpression;
  switch (core.type) {
    case 'Literal':
      return { kind: 'literal', value: literal(core) };
    case 'Identifier':
    case 'MemberExpression': {
      const path = claimPath(core);
      if (path.length === 0) throw new NotAllowed(claimNeeded);
      return { kind: 'claim', path };
    }
    case 'UnaryExpression':
      if (core.operator === '!') return { kind: 'not', operand: read(core.argument, reading) };
      return { kind: 'literal', value: literal(core) };
    case 'BinaryExpression':
      return binary(core, reading);
    case 'ArrayExpression':
      throw new NotAllowed(`must have lists only after \`in\`. ${allowed}`);
    case 'CallExpression':
      throw notAllowed('calls', ' Instead of x.includes("a") write "a" in x.');
    case 'ThisExpression':
      throw notAllowed('`this`');
    case 'ConditionalExpression':
      throw notAllowed('? and :');
    case 'Compound':
    case 'SequenceExpression':
      throw new NotAllowed(`must be one expression. ${allowed}`);
  }
}

function binary({ operator, left, right }: jsep.BinaryExpression, reading: { parts: number }): Condition {
  if (operator === '&&' || operator === '||')
    return { kind: operator === '&&' ? 'and' : 'or', left: read(left, reading), right: read(right, reading) };
  if (!isComparison(operator)) throw notAllowed(operator);
  return {
    kind: 'compare',
    operator,
    left: read(left, reading),
    right: operator === 'in' ? container(right, reading) : read(right, reading),
  };
}

function container(node: jsep.Expression, reading: { parts: number }): Condition {
  const core = node as jsep.CoreExpression;
  // In `"beta" in visitor.claims`, the claims as a whole may only be searched.
  if (core.type === 'MemberExpression') return { kind: 'claim', path: claimPath(core) };
  if (core.type !== 'ArrayExpression') return read(core, reading);
  const { elements } = core;
  reading.parts += elements.length;
  if (elements.length > conditionLimits.listLength)
    throw new NotAllowed(`must have at most ${conditionLimits.listLength} values in a list`);
  return { kind: 'list', values: elements.map((element) => literal(element as jsep.CoreExpression | null)) };
}

function literal(node: jsep.CoreExpression | null): Literal {
  if (node?.type === 'UnaryExpression' && node.operator === '-') {
    const value = literal(node.argument as jsep.CoreExpression);
    if (typeof value === 'number') return -value;
    throw notAllowed('a minus before something that is not a number');
  }
  if (node?.type !== 'Literal')
    throw new NotAllowed(`must have only texts, numbers, true, false and null in a list. ${allowed}`);
  const { value } = node;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new NotAllowed('must have no number too large to be kept');
  if (value instanceof RegExp) throw notAllowed('regular expressions');
  return value;
}

const claimNeeded = 'must name a claim, as visitor.claims.<name> or visitor.claims["<name>"]';

/** Reads `visitor.claims.a["b"]` as ['a', 'b']. */
function claimPath(node: jsep.Identifier | jsep.MemberExpression): string[] {
  const names: string[] = [];
  let at: jsep.CoreExpression = node;
  for (; at.type === 'MemberExpression'; at = at.object as jsep.CoreExpression) {
    if (at.optional)
      throw notAllowed('?.', ' It is not needed: a claim that is missing makes a comparison false.');
    names.unshift(nameOf(at));
  }
  if (at.type !== 'Identifier' || at.name !== 'visitor' || names.shift() !== 'claims')
    throw new NotAllowed(`must read nothing but visitor.claims. ${allowed}`);
  return names;
}

function nameOf({ computed, property }: jsep.MemberExpression): string {
  const name = property as jsep.CoreExpression;
  if (computed && name.type === 'Literal' && typeof name.value === 'string') return name.value;
  // jsep takes every character beyond ASCII for a letter, including spaces and quotes.
  if (!computed && name.type === 'Identifier' && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name.name))
    return name.name;
  throw new NotAllowed(claimNeeded);
}

function isComparison(operator: string): operator is Comparison {
  return Object.hasOwn(comparisons, operator);
}

function notAllowed(what: string, hint = ''): NotAllowed {
  return new NotAllowed(`must not use ${what}.${hint} ${allowed}`);
}
