import { element, type Html, type RenderContext } from '@bindery/dialect';
import { renderDescription } from './description.ts';
import { renderOperation } from './operation.ts';
import { renderProperties, type Describing } from './schema.ts';
import { isPart, listIn, readSpecification, textIn, type Part } from '@bindery/dialect/openapi';

type Block = { type: string; data: Record<string, unknown> };

/**
 * Describes an operation, schemas or a webhook of a specification (OpenAPI 3), whose form nobody checked;
 * undefined for one that it does not have.
 */
export function renderOpenapi(document: object, block: Block, context: RenderContext): Html | undefined {
  const specification = readSpecification(document);
  const describing = { specification, context };
  const described =
    block.type === 'openapi-schemas'
      ? schemasOf(document as Part, block.data, describing)
      : operationOf(document as Part, block, describing);
  return described && element('section', { class: 'openapi' }, described);
}

function operationOf(document: Part, { type, data }: Block, describing: Describing): Html | undefined {
  const isWebhook = type === 'openapi-webhook';
  const name = textIn(data, isWebhook ? 'name' : 'path');
  const method = textIn(data, 'method').toLowerCase();
  const all = describing.specification.read(document[isWebhook ? 'webhooks' : 'paths']);
  // Authors forget a slash at the end, or write one too many.
  const key = [name, `${name}/`, name.replace(/\/$/, '')].find((each) => Object.hasOwn(all, each));
  const item = describing.specification.read(key === undefined ? undefined : all[key]);
  const operation = Object.hasOwn(item, method) ? describing.specification.read(item[method]) : undefined;
  if (!operation) return undefined;
  const request = element('p', { class: 'request' }, [
    element('span', { class: 'method' }, method.toUpperCase()),
    ' ',
    element('code', {}, name),
  ]);
  return renderOperation({ operation, shared: listIn(item, 'parameters'), request }, describing);
}

function schemasOf(document: Part, data: Record<string, unknown>, describing: Describing): Html | undefined {
  const components = describing.specification.read(document['components']);
  const all = isPart(components['schemas']) ? components['schemas'] : {};
  const names = listIn(data, 'schemas').filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(all, name),
  );
  if (names.length === 0) return undefined;
  const title = textIn(data, 'title');
  return [
    title === '' ? '' : element('p', { class: 'title' }, title),
    names.map((name) => [
      element('p', { class: 'request' }, element('code', {}, name)),
      renderDescription(textIn(describing.specification.read(all[name]), 'description'), describing.context),
      renderProperties(all[name], describing),
    ]),
  ];
}
