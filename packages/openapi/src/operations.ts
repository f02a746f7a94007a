import { isPart, memberOf, membersIn, textIn, type Part } from './source/parts.ts';
import { keysOfFragment, pointerOf, valueAt } from './source/pointer.ts';
import type { OpenapiVersion } from './version.ts';

/** In the order in which the operations of a path are shown. */
const methods = ['get', 'post', 'put', 'delete', 'options', 'head', 'patch', 'trace'];

/** An object of a document, and the pointer to where it is written. */
export type Located = { value: Part; pointer: string };

export type PathItem = Located & {
  /** The path, or the name of a webhook. */
  name: string;
  isWebhook: boolean;
  /** The pointer to the name, even if the path item is written elsewhere. */
  namePointer: string;
  operations: Operation[];
};

export type Operation = Located & { method: string };

/** All paths, then all webhooks, of a bundled document of any version, in its order. */
export function pathItemsOf(document: Part, minor: OpenapiVersion['minor']): PathItem[] {
  return (['paths', 'webhooks'] as const).flatMap((group) =>
    membersIn(document, group)
      .filter(([name]) => group === 'webhooks' || !name.startsWith('x-'))
      .map(([name, value]): PathItem => {
        const namePointer = pointerOf([group, name]);
        const item = follow(document, { value, pointer: namePointer });
        const operations = item ? operationsOf(item, minor) : [];
        const located = item ?? { value: {}, pointer: namePointer };
        return { ...located, name, namePointer, isWebhook: group === 'webhooks', operations };
      }),
  );
}

function operationsOf({ value, pointer }: Located, minor: OpenapiVersion['minor']): Operation[] {
  const isNew = minor === '3.2';
  const own = (isNew ? [...methods, 'query'] : methods).map((method) => ({
    method,
    value: memberOf(value, method),
    pointer: `${pointer}/${method}`,
  }));
  const additional = (isNew ? membersIn(value, 'additionalOperations') : []).map(([method, operation]) => ({
    method,
    value: operation,
    pointer: `${pointer}${pointerOf(['additionalOperations', method])}`,
  }));
  return [...own, ...additional].filter((each): each is Operation => isPart(each.value));
}

/** References may lead to references, in the end to themselves. */
const mostHops = 10;

/** The object that a value is or refers to within the document; undefined if there is none. */
export function follow(
  document: Part,
  { value, pointer }: { value: unknown; pointer: string },
): Located | undefined {
  let found = { value, pointer };
  for (let hop = 0; hop < mostHops; hop += 1) {
    const ref = textIn(found.value, '$ref');
    if (ref === undefined) return isPart(found.value) ? { ...found, value: found.value } : undefined;
    if (!ref.startsWith('#')) return undefined;
    const keys = keysOfFragment(ref.slice(1));
    found = { value: valueAt(document, keys), pointer: pointerOf(keys) };
  }
  return undefined;
}
