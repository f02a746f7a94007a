import type { JsonObject } from '../../engine/json.ts';
import { reportSchema } from '../../engine/report.ts';
import type { Scope } from '../../engine/scope.ts';
import { code } from '../../rules/code.ts';
import { homes, type Forms } from '../form/forms.ts';
import { lowerLimitOf, upperLimitOf, type NumberLimit } from '../form/limits.ts';

/** Compares the limits of numbers, lengths and counts, and the rules for multiples and unique items. */
export function compareLimits(scope: Scope, forms: Forms): void {
  const [before, after] = [forms.before.node, forms.after.node];
  for (const limit of limits) {
    const [from, to] = [limit.read(before), limit.read(after)];
    if (from || to) compareLimit(scope, forms, { limit, from, to });
  }
  compareMultiples(scope, forms);
  compareUniqueItems(scope, forms);
}

type Limit = { id: LimitName; keyword: string; read: (node: JsonObject) => NumberLimit | undefined };
type LimitName = 'minimum' | 'maximum' | `${'min' | 'max'}-${'length' | 'items' | 'properties'}`;

const limits: readonly Limit[] = [
  { id: 'minimum', keyword: 'minimum', read: lowerLimitOf },
  { id: 'maximum', keyword: 'maximum', read: upperLimitOf },
  countLimit('min-length', 'minLength'),
  countLimit('max-length', 'maxLength'),
  countLimit('min-items', 'minItems'),
  countLimit('max-items', 'maxItems'),
  countLimit('min-properties', 'minProperties'),
  countLimit('max-properties', 'maxProperties'),
];

function countLimit(id: LimitName, keyword: string): Limit {
  return {
    id,
    keyword,
    read: ({ [keyword]: value }) => (typeof value === 'number' ? { value, isExclusive: false } : undefined),
  };
}

function compareLimit(
  scope: Scope,
  forms: Forms,
  { limit, from, to }: { limit: Limit; from: NumberLimit | undefined; to: NumberLimit | undefined },
): void {
  const { id, keyword } = limit;
  const order =
    from && to ? compareValues(from, to, id.startsWith('min') ? 1 : -1) : Number(!!to) - Number(!!from);
  if (order === 0) return;
  const [up, down] = from && to ? (['raised', 'lowered'] as const) : (['set', 'unset'] as const);
  const change = order > 0 ? up : down;
  reportSchema(scope, `${id}-${change}`, {
    ...homes(forms, keyword),
    from: limitText(from),
    to: limitText(to),
  });
}

/** @param sign 1 for lower limits, where an exclusive limit is the higher one; -1 for upper limits */
function compareValues(from: NumberLimit, to: NumberLimit, sign: number): number {
  return to.value - from.value || (Number(to.isExclusive) - Number(from.isExclusive)) * sign;
}

function compareMultiples(scope: Scope, forms: Forms): void {
  const [from, to] = [forms.before.node['multipleOf'], forms.after.node['multipleOf']];
  if (from === to) return;
  const found = { ...homes(forms, 'multipleOf'), from: code(from), to: code(to) };
  if (!isMultiple(from, to)) reportSchema(scope, 'multiple-of-tightened', found);
  if (!isMultiple(to, from)) reportSchema(scope, 'multiple-of-loosened', found);
}

/** True when every multiple of a number is also one of another number; without a number, all are. */
function isMultiple(number: unknown, of: unknown): boolean {
  if (typeof of !== 'number') return true;
  if (typeof number !== 'number') return false;
  const quotient = number / of;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

function compareUniqueItems(scope: Scope, forms: Forms): void {
  const [from, to] = [forms.before.node['uniqueItems'] === true, forms.after.node['uniqueItems'] === true];
  if (from === to) return;
  reportSchema(scope, to ? 'unique-items-tightened' : 'unique-items-loosened', homes(forms, 'uniqueItems'));
}

function limitText(limit: NumberLimit | undefined): string {
  if (!limit) return 'none';
  return limit.isExclusive ? `${code(limit.value)} (exclusive)` : code(limit.value);
}
