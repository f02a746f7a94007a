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

const places = ['path', 'query', 'header', 'cookie'] as const;

/** Renders a request: its purpose, who may send it where, its parameters and body, and its responses. */
export function renderOperation(found: Operation, describing: Describing): Html {
  const { context, words } = describing;
  const { name, method, operation, item, isWebhook } = found;
  const summary = textIn(operation, 'summary');
  return [
    summary === '' ? '' : element('p', { class: 'title' }, summary),
    element('p', { class: 'request' }, [
      element('span', { class: 'method' }, method.toUpperCase()),
      ' ',
      element('code', {}, name),
    ]),
    operation['deprecated'] === true ? element('p', { class: 'label' }, words.deprecated) : '',
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
  return places.map((place): Html => {
    const own = [...parameters.values()].filter((each) => each['in'] === place);
    if (own.length === 0) return '';
    return [
      element('p', { class: 'label' }, describing.words[place]),
      element(
        'dl',
        {},
        own.map((each) => parameter(each, describing)),
      ),
    ];
  });
}

function parameter(given: Part, { specification, context, words }: Describing): Html {
  if (!specification.take()) return '';
  const isRequired = given['required'] === true;
  const facts = factsOf(given['schema'], { isRequired, specification, words: words.facts });
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
  const { specification, words } = describing;
  const body = specification.read(given);
  const content = contentOf(body, describing);
  if (content === '') return '';
  return [
    element('p', { class: 'label' }, body['required'] === true ? words.requiredBody : words.body),
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
  return [element('p', { class: 'label' }, describing.words.responses), element('dl', {}, rows)];
}

/**
 * The first media type: others have the same schema nearly always. Readers of a screen open and close its
 * properties.
 */
function contentOf(holder: Part, describing: Describing, isOpen = true): Html {
  const { specification, words } = describing;
  const [first] = membersIn(holder, 'content');
  if (!first) return '';
  const [mediaType, given] = first;
  const media = specification.read(given);
  const facts = factsOf(media['schema'], { specification, words: words.facts });
  const title = [element('code', {}, mediaType), facts === words.facts.any ? '' : ` ${facts}`];
  const properties = renderProperties(media['schema'], describing);
  const example = exampleOf(media, specification);
  return [
    foldable({ title, body: properties, isOpen }, describing.context),
    example === undefined ? '' : renderExample(example, describing.context),
  ];
}
