import type { PageItem } from '../store/items.ts';
import type { Side } from './conflict/choices.ts';
import { isSame } from './diffTrees.ts';

/** A field that both sides changed differently. */
export type FieldConflict = { field: string; base: unknown; ours: unknown; theirs: unknown };

/** Decided elsewhere: by the position, by the merge of the files, or not at all. */
const notFields = new Set([
  'id',
  'type',
  'children',
  'path',
  'filePath',
  'oldPaths',
  'document',
  'updatedAt',
  'createdAt',
]);

/**
 * Merges the fields of a page one by one: changes of one side are taken; where both sides changed a field
 * differently, `theirs` wins unless `choose` returns `ours`. Members of `layout` and `cover` count as fields.
 */
export function mergeFields(
  { base, ours, theirs }: { base: PageItem | undefined; ours: PageItem; theirs: PageItem },
  choose: (field: string) => Side | undefined,
): { page: PageItem; conflicts: FieldConflict[] } {
  const conflicts: FieldConflict[] = [];
  const merge = (field: string, [o, a, b]: [unknown, unknown, unknown]): unknown => {
    if (isSame(a, b) || isSame(b, o)) return a;
    if (isSame(a, o)) return b;
    if (isPlain(a) && isPlain(b) && (isPlain(o) || o === undefined) && compound.has(field)) {
      const members = [...new Set([...Object.keys(a), ...Object.keys(b)])];
      const merged = members.map(
        (name) => [name, merge(`${field}.${name}`, [o?.[name], a[name], b[name]])] as const,
      );
      return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
    }
    conflicts.push({ field, base: o, ours: a, theirs: b });
    return choose(field) === 'ours' ? a : b;
  };
  const [o, a, b] = [base ?? {}, ours, theirs] as unknown as Record<string, unknown>[] as [
    Fields,
    Fields,
    Fields,
  ];
  const page: Fields = { ...a };
  for (const field of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (notFields.has(field)) continue;
    const value = merge(field, [o[field], a[field], b[field]]);
    if (value === undefined) delete page[field];
    else page[field] = value;
  }
  page['updatedAt'] = ours.updatedAt > theirs.updatedAt ? ours.updatedAt : theirs.updatedAt;
  return { page: page as unknown as PageItem, conflicts };
}

type Fields = Record<string, unknown>;

const compound = new Set(['layout', 'cover']);

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
