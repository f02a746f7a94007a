import { idOf, type Located, type SpecDocument } from '../../engine/document.ts';
import type { JsonObject } from '../../engine/json.ts';
import { limits } from '../../limits.ts';

/** Two schemas of one property, and the schema with the `allOf` whose parts define it. */
type Conflict = { one: Located; other: Located; within: JsonObject };

/**
 * One schema for a property that two parts of an `allOf` define. The same two always give the same schema,
 * so that schemas which contain one another come to an end.
 */
export function gather(document: SpecDocument, { one, other, within }: Conflict): Located {
  if (one.node === other.node || isSameReference(one.node, other.node)) return one;
  const depth = Math.max(...[one.node, other.node, within].map(depthOf)) + 1;
  if (depth > limits.gatheredNesting || document.gathered.size >= limits.gathered) return one;
  const key = `${idOf(document, one.node)} ${idOf(document, other.node)}`;
  const known = document.gathered.get(key);
  if (known) return { node: known, pointer: one.pointer };
  for (const { node, pointer } of [one, other]) document.homes.set(node, pointer);
  const node = { allOf: [one.node, other.node], [gatheredDepth]: depth };
  document.gathered.set(key, node);
  return { node, pointer: one.pointer };
}

export function isGathered(node: JsonObject): boolean {
  return gatheredDepth in node;
}

function depthOf(node: JsonObject & { [gatheredDepth]?: number }): number {
  return node[gatheredDepth] ?? 0;
}

function isSameReference(one: JsonObject, other: JsonObject): boolean {
  return typeof one['$ref'] === 'string' && one['$ref'] === other['$ref'];
}

const gatheredDepth = Symbol('how many gathered schemas contain one another here');
