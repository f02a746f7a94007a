import { isPart, listIn, textIn, type Part, type Specification } from './specification.ts';

/** A block that shows a part of a specification. */
export type OpenapiBlock = { type: string; data: Part };

/** The operation of a block, with the item of its path or webhook. */
export type FoundOperation = {
  /** The path as the block writes it, or the name of the webhook. */
  name: string;
  /** In lower case. */
  method: string;
  operation: Part;
  item: Part;
};

/** Whether an author hides a part: an operation, a tag, a schema or a webhook. */
export function isHidden(part: Part): boolean {
  return Boolean(part['x-internal']) || Boolean(part['x-gitbook-ignore']);
}

/** Finds the operation or webhook of a block; undefined for one that is hidden or not there. */
export function findOperation(
  document: Part,
  { type, data }: OpenapiBlock,
  specification: Pick<Specification, 'read'>,
): FoundOperation | undefined {
  const isWebhook = type === 'openapi-webhook';
  const name = textIn(data, isWebhook ? 'name' : 'path');
  const method = textIn(data, 'method').toLowerCase();
  const all = specification.read(document[isWebhook ? 'webhooks' : 'paths']);
  const key = nearestPath(name, (each) => Object.hasOwn(all, each));
  const item = specification.read(key === undefined ? undefined : all[key]);
  if (!isPart(item[method]) || isHidden(item)) return undefined;
  const operation = specification.read(item[method]);
  return isHidden(operation) ? undefined : { name, method, operation, item };
}

/** The path as it is there: authors forget a slash at the end, or write one too many. */
export function nearestPath(path: string, isThere: (path: string) => boolean): string | undefined {
  return [path, `${path}/`, path.replace(/\/$/, '')].find(isThere);
}

/** Finds the schemas of a block, in its order, without hidden and missing ones. */
export function findSchemas(
  document: Part,
  { data }: OpenapiBlock,
  specification: Pick<Specification, 'read'>,
): [name: string, schema: unknown][] {
  const { schemas } = specification.read(document['components']);
  if (!isPart(schemas)) return [];
  return listIn(data, 'schemas').flatMap((name): [string, unknown][] =>
    typeof name === 'string' && Object.hasOwn(schemas, name) && !isHidden(specification.read(schemas[name]))
      ? [[name, schemas[name]]]
      : [],
  );
}
