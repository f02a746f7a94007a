import { asNode, type Located } from '../../engine/document.ts';
import { asArray, pointerSteps } from '../../engine/json.ts';
import type { Run } from '../../engine/scope.ts';
import { limits } from '../../limits.ts';
import { code, codes } from '../../rules/code.ts';
import { readSchema, resolveSchema } from '../form/readSchema.ts';
import { homeOf, type SchemaForm } from '../form/schemaForm.ts';
import { isNull } from '../form/types.ts';
import { isUnchanged } from '../isUnchanged.ts';
import { isSameSchema, isSameValue } from '../sameSchema.ts';

/** A part of a `oneOf` or `anyOf`: where it stands, and the schema that it leads to. */
export type AlternativePart = { pointer: string; schema: Located; title?: string };

type Side = 'before' | 'after';
type PartPair = { before: AlternativePart; after: AlternativePart };
type Matches = { pairs: PartPair[]; removed: AlternativePart[]; added: AlternativePart[] };

/** The parts of a `oneOf` or `anyOf` other than null. */
export function partsOf(
  run: Run,
  side: Side,
  { form, keyword }: { form: SchemaForm; keyword: string },
): AlternativePart[] {
  const home = homeOf(form, keyword);
  return asArray(form.node[keyword]).flatMap((part, index) => {
    if (isNull(part)) return [];
    const pointer = `${home}/${keyword}/${index}`;
    return [partOf(run, side, { node: asNode(part), pointer })];
  });
}

export function partOf(run: Run, side: Side, located: Located): AlternativePart {
  const schema = resolveSchema(run[side], located);
  const title = schema.node['title'];
  return { pointer: located.pointer, schema, title: typeof title === 'string' ? title : undefined };
}

/**
 * Matches the parts of two lists whatever their order: first by the name of the component, then by title,
 * then equal schemas. The last parts match when there is one on either side and both have the same type.
 */
export function matchParts(run: Run, before: AlternativePart[], after: AlternativePart[]): Matches {
  const matches: Matches = { pairs: [], removed: before, added: after };
  matchByKey(matches, ({ schema }) => (schema.isShared ? schema.pointer : undefined));
  matchByKey(matches, ({ title }) => title);
  if (Math.max(matches.removed.length, matches.added.length) <= limits.unnamedParts) {
    // The same text first: a change of a component that a part refers to is no other part.
    matchEach(matches, (one, other) => isUnchanged(one.schema.node, other.schema.node, []));
    matchEach(matches, (one, other) => isSameSchema(run, one.schema, other.schema));
  }
  if (matches.removed.length === 1 && matches.added.length === 1)
    matchEach(matches, (one, other) =>
      isSameValue(typesOf(run, 'before', one), typesOf(run, 'after', other)),
    );
  return matches;
}

function matchByKey(matches: Matches, keyOf: (part: AlternativePart) => string | undefined): void {
  const byKey = new Map(matches.added.map((part) => [keyOf(part), part]));
  const matched = new Set<AlternativePart>();
  matches.removed = matches.removed.filter((before) => {
    const key = keyOf(before);
    const after = key === undefined ? undefined : byKey.get(key);
    if (after === undefined || matched.has(after)) return true;
    matches.pairs.push({ before, after });
    matched.add(after);
    return false;
  });
  matches.added = matches.added.filter((part) => !matched.has(part));
}

function matchEach(
  matches: Matches,
  isMatch: (one: AlternativePart, other: AlternativePart) => boolean,
): void {
  const matched = new Set<AlternativePart>();
  matches.removed = matches.removed.filter((before) => {
    const after = matches.added.find((part) => !matched.has(part) && isMatch(before, part));
    if (after === undefined) return true;
    matches.pairs.push({ before, after });
    matched.add(after);
    return false;
  });
  matches.added = matches.added.filter((part) => !matched.has(part));
}

function typesOf(run: Run, side: Side, { schema }: AlternativePart): readonly string[] | undefined {
  return readSchema(run[side], schema).types;
}

/** How a message names a part. */
export function labelOf(run: Run, side: Side, part: AlternativePart): string {
  const name = componentName(part.schema) ?? part.title;
  if (name !== undefined) return code(name);
  const types = typesOf(run, side, part);
  return types === undefined ? 'without a name' : codes(types);
}

/** The name of a schema among the components. */
export function componentName({ pointer, isShared }: Located): string | undefined {
  const isComponent = isShared && /^\/components\/schemas\/[^/]+$/.test(pointer);
  return isComponent ? pointerSteps(pointer).at(-1) : undefined;
}
