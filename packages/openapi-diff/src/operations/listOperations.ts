import { child, follow, type Located, type SpecDocument } from '../engine/document.ts';
import { asObject, isObject, pointerStep } from '../engine/json.ts';

/** An operation with the path item that contains it; method in lower case. */
export type OperationEntry = {
  method: string;
  path: string;
  operation: Located;
  item: Located;
  order: number;
};

/** All operations below `paths`, in the order of the document. */
export function listOperations(document: SpecDocument): OperationEntry[] {
  return operationsOf(document, child(rootOf(document), 'paths'));
}

/** All operations of webhooks; their `path` is the name of the webhook. */
export function listWebhooks(document: SpecDocument): OperationEntry[] {
  return ['webhooks', 'x-webhooks'].flatMap((name) => operationsOf(document, child(rootOf(document), name)));
}

/** The operations of a map of path items. */
export function operationsOf(document: SpecDocument, items: Located): OperationEntry[] {
  const entries: OperationEntry[] = [];
  for (const path of Object.keys(items.node)) {
    const item = follow(document, child(items, path));
    for (const [method, operation] of methodsOf(item))
      entries.push({ method, path, operation, item, order: entries.length });
  }
  return entries;
}

export function rootOf({ root }: SpecDocument): Located {
  return { node: root, pointer: '' };
}

function methodsOf(item: Located): [string, Located][] {
  const fixed = methods
    .filter((method) => isObject(item.node[method]))
    .map((method) => [method, item] as const);
  const more = child(item, 'additionalOperations');
  const added = Object.keys(asObject(more.node)).map((method) => [method, more] as const);
  return [...fixed, ...added].map(([method, { node, pointer }]) => [
    method.toLowerCase(),
    { node: asObject(node[method]), pointer: pointer + pointerStep(method) },
  ]);
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
