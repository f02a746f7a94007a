import {
  ApiError,
  emptyDocument,
  type ComputedDocumentSource,
  type DocumentBlock,
  type DocumentTree,
} from '@bindery/contract';
import { documentOfText } from './documentOfText.ts';
import { loadSpecContent, type SpecOperation, type SpecReading } from '../shown/specContent.ts';

/**
 * Computes the document of a page from the specification that the source names.
 *
 * @throws not_found when the specification has no such operation or tag; precondition_failed for a source
 *   that is not a specification
 */
export async function computeDocument(
  source: ComputedDocumentSource,
  reading: SpecReading,
): Promise<DocumentTree> {
  if (!isOfSpec(source)) throw notComputed(source.type);
  const { props } = source;
  const { spec } = source.dependencies.spec.ref;
  const content = await loadSpecContent(spec, reading);
  if (props.doc === 'models')
    return { ...emptyDocument, nodes: content.models.length > 0 ? [schemasOf(spec, content.models)] : [] };
  if (props.doc === 'operation') {
    const operation = content.operations.find(
      ({ path, method }) => path === props.page && method === props.method,
    );
    if (!operation) throw nothingThere(spec, `${props.method} ${props.page}`);
    return { ...emptyDocument, nodes: [operationOf(spec, operation)] };
  }
  const tag = content.tags.find(({ name }) => name === props.page);
  if (!tag) throw nothingThere(spec, props.page);
  const { nodes } = await documentOfText(tag.description, reading.organization._id);
  if (props.doc !== 'operations') return { ...emptyDocument, nodes };
  const operations = content.operations.filter(({ tags }) => tags.includes(tag.name));
  return {
    ...emptyDocument,
    nodes: [...nodes, ...operations.map((operation) => operationOf(spec, operation))],
  };
}

export function notComputed(type: string): ApiError {
  return new ApiError(
    'precondition_failed',
    `This platform does not compute content of the type ${type.slice(0, 100)}.`,
  );
}

function isOfSpec(
  source: ComputedDocumentSource,
): source is Extract<ComputedDocumentSource, { type: 'builtin:openapi' }> {
  return source.type === 'builtin:openapi';
}

function operationOf(spec: string, { path, method }: SpecOperation): DocumentBlock {
  return {
    object: 'block',
    type: 'openapi-operation',
    isVoid: true,
    data: { ref: { kind: 'openapi', spec }, path, method },
  };
}

function schemasOf(spec: string, schemas: string[]): DocumentBlock {
  return {
    object: 'block',
    type: 'openapi-schemas',
    isVoid: true,
    data: { ref: { kind: 'openapi', spec }, schemas, grouped: true },
  };
}

function nothingThere(spec: string, page: string): ApiError {
  return new ApiError(
    'not_found',
    `The latest version of the specification ${spec} has nothing at ${page.slice(0, 200)}.`,
  );
}
