import { element, type Html } from '@bindery/dialect';
import { renderDescription } from './description.ts';
import { factsOf, listIn, membersIn, textIn, type Part } from '@bindery/dialect/openapi';
import { renderProperties, type Describing } from './schema.ts';

const places = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const;

/** Renders a request: what it is for, its parameters and body, and its responses. */
export function renderOperation(
  { operation, shared, request }: { operation: Part; shared: unknown[]; request: Html },
  describing: Describing,
): Html {
  const { context } = describing;
  const summary = textIn(operation, 'summary');
  return [
    summary === '' ? '' : element('p', { class: 'title' }, summary),
    request,
    operation['deprecated'] === true ? element('p', { class: 'label' }, 'Deprecated') : '',
    renderDescription(textIn(operation, 'description'), context),
    parametersOf([...shared, ...listIn(operation, 'parameters')], describing),
    bodyOf(operation['requestBody'], describing),
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
  const rows = responses.map(([status, given]): Html => {
    if (!describing.specification.take()) return '';
    const response = describing.specification.read(given);
    return [
      element('dt', {}, element('code', {}, status)),
      element('dd', {}, [
        renderDescription(textIn(response, 'description'), describing.context),
        contentOf(response, describing),
      ]),
    ];
  });
  return [element('p', { class: 'label' }, 'Responses'), element('dl', {}, rows)];
}

/** The first media type: others have the same schema nearly always. */
function contentOf(holder: Part, describing: Describing): Html {
  const [first] = membersIn(holder, 'content');
  if (!first) return '';
  const [mediaType, given] = first;
  const media = describing.specification.read(given);
  const facts = factsOf(media['schema'], false, describing.specification);
  return [
    element('p', { class: 'detail' }, [element('code', {}, mediaType), facts === 'any' ? '' : ` ${facts}`]),
    renderProperties(media['schema'], describing),
    exampleOf(media, describing),
  ];
}

const longestExample = 4_000;

function exampleOf(media: Part, { specification, context }: Describing): Html {
  const [named] = membersIn(media, 'examples');
  const example = media['example'] ?? (named && specification.read(named[1])['value']);
  if (example === undefined || example === null) return '';
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  if (text.length > longestExample) return '';
  return context.render([
    {
      object: 'block',
      type: 'code',
      data: { syntax: 'json' },
      nodes: text.split('\n').map((line) => ({
        object: 'block',
        type: 'code-line',
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: line, marks: [] }] }],
      })),
    },
  ]);
}
