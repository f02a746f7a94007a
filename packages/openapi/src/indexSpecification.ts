import type { IndexedOperation, IndexedTag, SpecificationIndex } from './face.ts';
import { isPart, listIn, memberOf, membersIn, partIn, scalarIn, textIn, type Part } from './source/parts.ts';
import { keysOfFragment, valueAt } from './source/pointer.ts';

/** In the order in which the operations of a path are shown. */
export const methods = ['get', 'post', 'put', 'delete', 'options', 'head', 'patch', 'trace'];

/** Lists what a bundled document of any version contains, in the order of the document. */
export function indexSpecification(document: Part, version: string): SpecificationIndex {
  const info = partIn(document, 'info');
  const operations = membersIn(document, 'paths')
    .filter(([path]) => !path.startsWith('x-'))
    .flatMap(([path, item]) =>
      operationsOf(document, item, version).map((operation) => ({ path, ...operation })),
    );
  const webhooks = membersIn(document, 'webhooks').flatMap(([name, item]) =>
    operationsOf(document, item, version).map((operation) => ({ name, ...operation })),
  );
  const schemas = partIn(document, 'definitions') ?? partIn(partIn(document, 'components'), 'schemas') ?? {};
  return {
    title: textIn(info, 'title') ?? '',
    // YAML reads `version: 1.0` as a number.
    version: scalarIn(info, 'version') ?? '',
    tags: tagsOf(document, [...operations, ...webhooks]),
    operations,
    webhooks,
    schemas: Object.keys(schemas),
  };
}

/** The methods and operations of a path item, which may be a reference to one. */
export function methodsOf(document: Part, item: unknown, version: string): [string, Part][] {
  const found = followed(document, item);
  const names = version.startsWith('3.2') ? [...methods, 'query'] : methods;
  const own = names.map((method): [string, unknown] => [method, memberOf(found, method)]);
  const additional = version.startsWith('3.2') ? membersIn(found, 'additionalOperations') : [];
  return [...own, ...additional].filter((entry): entry is [string, Part] => isPart(entry[1]));
}

function operationsOf(document: Part, item: unknown, version: string): Omit<IndexedOperation, 'path'>[] {
  return methodsOf(document, item, version).map(([method, operation]) => {
    const operationId = textIn(operation, 'operationId');
    const summary = textIn(operation, 'summary');
    return {
      method,
      ...(operationId !== undefined && { operationId }),
      tags: listIn(operation, 'tags').filter((tag) => typeof tag === 'string'),
      ...(summary !== undefined && { summary }),
      deprecated: memberOf(operation, 'deprecated') === true,
    };
  });
}

function tagsOf(document: Part, operations: readonly { tags: string[] }[]): IndexedTag[] {
  const tags = new Map<string, IndexedTag>();
  for (const tag of listIn(document, 'tags')) {
    const name = textIn(tag, 'name');
    if (name === undefined || tags.has(name)) continue;
    const description = textIn(tag, 'description');
    const parent = textIn(tag, 'parent') ?? textIn(tag, 'x-parent');
    tags.set(name, {
      name,
      ...(description !== undefined && { description }),
      ...(parent !== undefined && { parent }),
      isDeclared: true,
    });
  }
  for (const name of operations.flatMap((operation) => operation.tags))
    if (!tags.has(name)) tags.set(name, { name, isDeclared: false });
  return [...tags.values()];
}

/** References to path items may lead to references, in the end to themselves. */
const mostHops = 10;

function followed(document: Part, item: unknown): unknown {
  let found = item;
  for (let hop = 0; hop < mostHops; hop += 1) {
    const ref = textIn(found, '$ref');
    if (ref === undefined || !ref.startsWith('#')) break;
    const target = valueAt(document, keysOfFragment(ref.slice(1)));
    if (!isPart(target)) break;
    found = target;
  }
  return found;
}
