import { specPageDocument } from '@bindery/content';
import { ApiError, emptyDocument, type ComputedDocumentSource, type DocumentTree } from '@bindery/contract';
import { contentOfPage } from '@bindery/dialect/openapi';
import { asSource } from '@bindery/publishing';
import { loadSpecContent, type SpecReading } from '../shown/specContent.ts';

/**
 * Computes the document of a page from the specification that the source names.
 *
 * @throws not_found when the specification has no such page any more; precondition_failed for a source that
 *   is not a specification
 */
export async function computeDocument(
  source: ComputedDocumentSource,
  reading: SpecReading,
): Promise<DocumentTree> {
  if (!isOfSpec(source)) throw notComputed(source.type);
  const { spec } = source.dependencies.spec.ref;
  const content = contentOfPage(await loadSpecContent(spec, reading), source);
  if (!content) throw nothingThere(source);
  const document = await specPageDocument(content, reading.organization._id);
  return document ?? { ...emptyDocument, nodes: [...asSource(content.markdown).nodes, ...content.blocks] };
}

export function notComputed(type: string): ApiError {
  return new ApiError(
    'precondition_failed',
    `This platform does not compute content of the type ${type.slice(0, 100)}.`,
  );
}

type SpecSource = Extract<ComputedDocumentSource, { type: 'builtin:openapi' }>;

function isOfSpec(source: ComputedDocumentSource): source is SpecSource {
  return source.type === 'builtin:openapi';
}

function nothingThere({ props, dependencies }: SpecSource): ApiError {
  const page = props.doc === 'models' ? 'models' : props.page.slice(0, 200);
  const name = props.doc === 'operation' ? `${props.method} ${page}` : page;
  return new ApiError(
    'not_found',
    `The latest version of the specification ${dependencies.spec.ref.spec} has nothing at ${name}.`,
  );
}
