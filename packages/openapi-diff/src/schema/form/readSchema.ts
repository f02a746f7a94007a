import { asNode, follow, type Located, type SpecDocument } from '../../engine/document.ts';
import { isObject, type JsonObject } from '../../engine/json.ts';
import { limits } from '../../limits.ts';
import { isGathered } from './gather.ts';
import { mergeParts } from './mergeParts.ts';
import { isRemark, type SchemaForm } from './schemaForm.ts';
import { allowsNull, isNull, typesOf, valuesOf } from './types.ts';

/**
 * Follows references, also those that stand alone in an `allOf`, `oneOf` or `anyOf`, so that wrapping a
 * schema changes nothing.
 */
export function resolveSchema(document: SpecDocument, located: Located): Located {
  let found = located;
  for (let steps = 0; steps < limits.nesting; steps += 1) {
    const next = onlyPart(document, found);
    if (next === undefined) return isGathered(found.node) ? { ...found, isShared: true } : found;
    found = found.isShared ? { ...next, isShared: true } : next;
  }
  return { node: {}, pointer: located.pointer };
}

/** Brings a resolved schema into the form that is compared. */
export function readSchema(document: SpecDocument, located: Located): SchemaForm {
  return isComposite(document, located.node) ? composite(document, located, 0) : plainForm(located);
}

/** The value of one keyword of a schema, also where it stands beside a reference or in a part of it. */
export function keywordOf(document: SpecDocument, located: Located, keyword: string): unknown {
  const own = located.node[keyword];
  if (own !== undefined) return own;
  const { node, pointer } = resolveSchema(document, located);
  return isComposite(document, node) ? readSchema(document, { node, pointer }).node[keyword] : node[keyword];
}

function plainForm({ node, pointer }: Located): SchemaForm {
  return { node, pointer, types: typesOf(node), isNullable: allowsNull(node), values: valuesOf(node) };
}

/** The one part that a schema consists of, if it is a reference or wrapper without keywords of its own. */
function onlyPart(document: SpecDocument, { node, pointer }: Located): Located | undefined {
  if (typeof node['$ref'] === 'string')
    return document.hasSiblingsOfRefs && hasOwnKeywords(node, '$ref')
      ? undefined
      : follow(document, { node, pointer });
  for (const keyword of wrappers) {
    const parts = node[keyword];
    if (Array.isArray(parts) && parts.length === 1 && isObject(parts[0]) && !hasOwnKeywords(node, keyword))
      return partAt(document, { node, pointer }, { keyword, index: 0 });
  }
  return undefined;
}

function hasOwnKeywords(node: JsonObject, wrapper: string): boolean {
  for (const keyword in node) if (keyword !== wrapper && !isRemark(keyword)) return true;
  return false;
}

/** True for a schema that has to be merged from parts. */
function isComposite(document: SpecDocument, node: JsonObject): boolean {
  return (
    Array.isArray(node['allOf']) ||
    (document.hasSiblingsOfRefs && typeof node['$ref'] === 'string') ||
    nullableWrapper(node) !== undefined
  );
}

/** `oneOf` or `anyOf` of null and one other part, which is the other spelling of a nullable schema. */
function nullableWrapper(node: JsonObject): { keyword: string; index: number } | undefined {
  for (const keyword of ['oneOf', 'anyOf']) {
    const parts = node[keyword];
    if (!Array.isArray(parts) || parts.length !== 2) continue;
    const index = parts.findIndex((part) => !isNull(part));
    if (index !== -1 && isNull(parts[1 - index]) && isObject(parts[index])) return { keyword, index };
  }
  return undefined;
}

/** Merges the parts of a schema; remembered, because many schemas can share a part. */
function composite(document: SpecDocument, located: Located, depth: number): SchemaForm {
  const known = document.forms.get(located.node) as SchemaForm | typeof isInProgress | undefined;
  // A schema that contains itself in an `allOf` adds nothing to itself.
  if (known === isInProgress || depth > limits.nesting) return plainForm({ ...located, node: {} });
  if (known !== undefined) return known;
  document.forms.set(located.node, isInProgress);
  const form = merge(document, located, depth);
  document.forms.set(located.node, form);
  return form;
}

function merge(document: SpecDocument, located: Located, depth: number): SchemaForm {
  const { node, pointer } = located;
  const { $ref, ...withoutRef } = node;
  const own: JsonObject = { ...withoutRef };
  const found: Located[] = [];
  if (typeof $ref === 'string') found.push(follow(document, { node: { $ref }, pointer }));
  if (Array.isArray(node['allOf'])) {
    delete own['allOf'];
    node['allOf'].forEach((_, index) => found.push(partAt(document, located, { keyword: 'allOf', index })));
  }
  const wrapper = nullableWrapper(own);
  if (wrapper) {
    delete own[wrapper.keyword];
    found.push(partAt(document, located, wrapper));
  }
  const parts = found.map((part) => {
    const resolved = resolveSchema(document, part);
    return isComposite(document, resolved.node)
      ? composite(document, resolved, depth + 1)
      : plainForm(resolved);
  });
  const ownForm = plainForm({ node: own, pointer });
  const merged = mergeParts(document, [ownForm, ...parts], node);
  const isNullable =
    wrapper !== undefined || ownForm.isNullable || (merged.isNullable && ownForm.types === undefined);
  return { ...merged, isNullable };
}

function partAt(
  document: SpecDocument,
  { node, pointer }: Located,
  { keyword, index }: { keyword: string; index: number },
): Located {
  const part = asNode((node[keyword] as unknown[])[index]);
  // Parts that were gathered from several schemas keep their pointers.
  return { node: part, pointer: document.homes.get(part) ?? `${pointer}/${keyword}/${index}` };
}

const isInProgress = Symbol('a schema whose parts are being merged');
const wrappers = ['allOf', 'oneOf', 'anyOf'];
