import { element, type Html } from '@bindery/dialect';
import { factsOf, listIn, membersIn, textIn, type Part } from '@bindery/dialect/openapi';
import type { Describing, Operation } from './describing.ts';
import { renderDescription } from './description.ts';
import { exampleOf, renderExample } from './example.ts';
import { foldable } from './foldable.ts';
import { renderSamples } from './samples.ts';
import { renderProperties } from './schema.ts';
import { renderSecurity } from './security.ts';
import { renderServers } from './servers.ts';

const places = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const;

/** Renders a request: its purpose, who may send it where, its parameters and body, and its responses. */
export function renderOperation(found: Operation, describing: Describing): Html {
  const { context } = describing;
  const { name, method, operation, item, isWebhook } = found;
  const summary = textIn(operation, 'summary');
  return [
    summary === '' ? '' : element('p', { class: 'title' }, summary),
    element('p', { class: 'request' }, [
      element('span', { class: 'method' }, method.toUpperCase()),
      ' ',
      element('code', {}, name),
    ]),
    operation['deprecated'] === true ? element('p', { class: 'label' }, 'Deprecated') : '',
    renderDescription(textIn(operation, 'description'), context),
    isWebhook ? '' : [renderServers(found, describing), renderSecurity(found, describing)],
    parametersOf([...listIn(item, 'parameters'), ...listIn(operation, 'parameters')], describing),
    bodyOf(operation['requestBody'], describing),
    renderSamples(found, describing),
    responsesOf(operation, describing),
  ];
}

/** A parameter of the operation replaces one of its path with the same name and place. */
function parametersOf(given: readonly unknown[], describing: Describing): Html {
  const { specification } = describing;
  const parameters = new Map<string, Part>();
  for (const each of given) {
    const read = specification.read(each);
    parameters.set(`${textIn(read, 'in')} ${textIn(read, 'name')}`, read);
  }
  return places.map(([place, title]): Html => {
    const own = [...parameters.values()].filter((each) => each['in'] === place);
    if (own.length === 0) return '';
    return [
      element('p', { class: 'label' }, title),
      element(
        'dl',
        {},
        own.map((each) => parameter(each, describing)),
      ),
    ];
  });
}

function parameter(given: Part, { specification, context }: Describing): Html {
  if (!specification.take()) return '';
  const facts = factsOf(given['schema'], given['required'] === true, specification);
  return [
    element('dt', {}, [
      element('code', {}, textIn(given, 'name')),
      ' ',
      element('span', { class: 'detail' }, facts),
    ]),
    element('dd', {}, renderDescription(textIn(given, 'description'), context)),
  ];
}

function bodyOf(given: unknown, describing: Describing): Html {
  const body = describing.specification.read(given);
  const content = contentOf(body, describing);
  if (content === '') return '';
  return [
    element('p', { class: 'label' }, body['required'] === true ? 'Body, required' : 'Body'),
    renderDescription(textIn(body, 'description'), describing.context),
    content,
  ];
}

function responsesOf(operation: Part, describing: Describing): Html {
  const responses = membersIn(operation, 'responses');
  if (responses.length === 0) return '';
  const rows = responses.map(([status, given], index): Html => {
    if (!describing.specification.take()) return '';
    const response = describing.specification.read(given);
    return [
      element('dt', {}, element('code', {}, status)),
      element('dd', {}, [
        renderDescription(textIn(response, 'description'), describing.context),
        contentOf(response, describing, index === 0),
      ]),
    ];
  });
  return [element('p', { class: 'label' }, 'Responses'), element('dl', {}, rows)];
}

/**
 * The first media type: others have the same schema nearly always. Readers of a screen open and close its
 * properties.
 */
function contentOf(holder: Part, describing: Describing, isOpen = true): Html {
  const [first] = membersIn(holder, 'content');
  if (!first) return '';
  const [mediaType, given] = first;
  const media = describing.specification.read(given);
  const facts = factsOf(media['schema'], false, describing.specification);
  const title = [element('code', {}, mediaType), facts === 'any' ? '' : ` ${facts}`];
  const properties = renderProperties(media['schema'], describing);
  const example = exampleOf(media, describing.specification);
  return [
    foldable({ title, body: properties, isOpen }, describing.context),
    example === undefined ? '' : renderExample(example, describing.context),
  ];
}
