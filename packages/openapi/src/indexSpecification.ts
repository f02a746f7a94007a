import type { IndexedOperation, IndexedTag, SpecificationIndex } from './face.ts';
import { pathItemsOf, type Operation, type PathItem } from './operations.ts';
import { listIn, memberOf, partIn, scalarIn, textIn, type Part } from './source/parts.ts';
import type { OpenapiVersion } from './version.ts';

/** Lists what a bundled document of any version contains, in the order of the document. */
export function indexSpecification(document: Part, minor: OpenapiVersion['minor']): SpecificationIndex {
  const info = partIn(document, 'info');
  const items = pathItemsOf(document, minor);
  const paths = items.filter(({ isWebhook }) => !isWebhook);
  const webhooks = items.filter(({ isWebhook }) => isWebhook);
  const schemas = partIn(document, minor === '2.0' ? 'definitions' : 'components') ?? {};
  return {
    title: textIn(info, 'title') ?? '',
    // YAML reads `version: 1.0` as a number.
    version: scalarIn(info, 'version') ?? '',
    tags: tagsOf(document, items),
    operations: paths.flatMap(({ name, operations }) =>
      operations.map((operation) => ({ path: name, ...described(operation) })),
    ),
    webhooks: webhooks.flatMap(({ name, operations }) =>
      operations.map((operation) => ({ name, ...described(operation) })),
    ),
    schemas: Object.keys(minor === '2.0' ? schemas : (partIn(schemas, 'schemas') ?? {})),
  };
}

function described({ method, value }: Operation): Omit<IndexedOperation, 'path'> {
  const operationId = textIn(value, 'operationId');
  const summary = textIn(value, 'summary');
  return {
    method,
    operationId,
    tags: tagNamesOf(value),
    summary,
    deprecated: memberOf(value, 'deprecated') === true,
  };
}

function tagNamesOf(operation: Part): string[] {
  return listIn(operation, 'tags').filter((tag) => typeof tag === 'string');
}

function tagsOf(document: Part, items: readonly PathItem[]): IndexedTag[] {
  const tags = new Map<string, IndexedTag>();
  for (const tag of listIn(document, 'tags')) {
    const name = textIn(tag, 'name');
    if (name === undefined || tags.has(name)) continue;
    const description = textIn(tag, 'description');
    const parent = textIn(tag, 'parent') ?? textIn(tag, 'x-parent');
    tags.set(name, {
      name,
      description,
      parent,
      isDeclared: true,
    });
  }
  const used = items.flatMap(({ operations }) => operations.flatMap(({ value }) => tagNamesOf(value)));
  for (const name of used) if (!tags.has(name)) tags.set(name, { name, isDeclared: false });
  return [...tags.values()];
}
