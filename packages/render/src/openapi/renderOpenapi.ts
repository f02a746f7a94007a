import { element, type Html, type RenderContext } from '@bindery/dialect';
import {
  findOperation,
  findSchemas,
  readSpecification,
  textIn,
  type OpenapiBlock,
  type Part,
} from '@bindery/dialect/openapi';
import type { OpenapiWords } from '../words/words.ts';
import type { Describing } from './describing.ts';
import { renderDescription } from './description.ts';
import { renderOperation } from './operation.ts';
import { renderProperties } from './schema.ts';

/**
 * Describes an operation, schemas or a webhook of a specification (OpenAPI 3), whose form nobody checked;
 * undefined for one that it does not have or hides.
 */
export function renderOpenapi(
  document: object,
  block: OpenapiBlock,
  { context, words }: { context: RenderContext; words: OpenapiWords },
): Html | undefined {
  const describing = { specification: readSpecification(document), context, words };
  const described =
    block.type === 'openapi-schemas'
      ? schemasOf(document as Part, block, describing)
      : operationOf(document as Part, block, describing);
  return described && element('section', { class: 'openapi' }, described);
}

function operationOf(document: Part, block: OpenapiBlock, describing: Describing): Html | undefined {
  const found = findOperation(document, block, describing.specification);
  if (!found) return undefined;
  return renderOperation({ ...found, document, isWebhook: block.type === 'openapi-webhook' }, describing);
}

function schemasOf(document: Part, block: OpenapiBlock, describing: Describing): Html | undefined {
  const schemas = findSchemas(document, block, describing.specification);
  if (schemas.length === 0) return undefined;
  const title = textIn(block.data, 'title');
  return [
    title === '' ? '' : element('p', { class: 'title' }, title),
    schemas.map(([name, schema]) => [
      element('p', { class: 'request' }, element('code', {}, name)),
      renderDescription(textIn(describing.specification.read(schema), 'description'), describing.context),
      renderProperties(schema, describing),
    ]),
  ];
}
