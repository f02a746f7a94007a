import { limits } from '../limits.ts';
import { asObject, isObject, textOf, member, pointerSteps, pointerStep, type JsonObject } from './json.ts';

/** One of the two specifications. */
export type SpecDocument = {
  root: JsonObject;
  /** Since 3.1, keywords beside `$ref` count. */
  hasSiblingsOfRefs: boolean;
  /** The targets of references, by the text of the reference. */
  targets: Map<string, Located | undefined>;
  /** Numbers of the nodes that comparisons are remembered by. */
  ids: Map<object, number>;
  /** Schemas whose parts were merged, by their node. */
  forms: Map<object, unknown>;
  /** Schemas that stand in no place of the document, by their parts: several parts of an `allOf` as one. */
  gathered: Map<string, JsonObject>;
  /** Pointers of the parts of gathered schemas. */
  homes: Map<object, string>;
};

/** A node of a document, with the JSON pointer that leads to it. */
export type Located = {
  node: JsonObject;
  pointer: string;
  /** True behind a reference: other places may lead there too. */
  isShared?: boolean;
};

export function openDocument(root: object): SpecDocument {
  const object = asObject(root);
  return {
    root: object,
    hasSiblingsOfRefs: !textOf(object['openapi']).startsWith('3.0'),
    targets: new Map(),
    ids: new Map(),
    forms: new Map(),
    gathered: new Map(),
    homes: new Map(),
  };
}

/** A member of a located node; not yet followed when it is a reference. */
export function child(parent: Located, name: string): Located {
  return { node: asNode(member(parent.node, name)), pointer: parent.pointer + pointerStep(name) };
}

/** A value of the document as a node; a schema can also be `true` or `false`. */
export function asNode(value: unknown): JsonObject {
  return value === false ? never : asObject(value);
}

/** The number of a node. */
export function idOf({ ids }: SpecDocument, node: object): number {
  const known = ids.get(node);
  if (known !== undefined) return known;
  ids.set(node, ids.size);
  return ids.size - 1;
}

/** Follows a reference to its end. Where it leads nowhere, or in a ring, stands an empty object. */
export function follow(document: SpecDocument, located: Located): Located {
  let found = located;
  for (let steps = 0; typeof found.node['$ref'] === 'string'; steps += 1) {
    const target = steps < limits.nesting ? targetOf(document, found.node['$ref']) : undefined;
    if (target === undefined) return { node: nowhere, pointer: located.pointer };
    found = target;
  }
  return found;
}

/** The node that a reference names. */
export function targetOf(document: SpecDocument, reference: string): Located | undefined {
  const known = document.targets.get(reference);
  if (known !== undefined || document.targets.has(reference)) return known;
  const target = findTarget(document, reference);
  document.targets.set(reference, target);
  return target;
}

/** The value at a JSON pointer. */
export function valueAt(document: SpecDocument, pointer: string): unknown {
  let value: unknown = document.root;
  for (const step of pointerSteps(pointer)) {
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? value[Number(step)] : undefined;
    else if (isObject(value)) value = member(value, step);
    else return undefined;
  }
  return value;
}

function findTarget(document: SpecDocument, reference: string): Located | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const pointer = decoded(reference.slice(1));
  const node = valueAt(document, pointer);
  if (node === undefined) return undefined;
  return { node: asNode(node), pointer, isShared: true };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The schema that no value satisfies, as an object. */
const never: JsonObject = { not: {} };
const nowhere: JsonObject = {};
