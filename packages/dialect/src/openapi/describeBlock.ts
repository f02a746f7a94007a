import type { DocumentBlock } from '@bindery/contract';
import { codeBlock } from '../blocks/code/codeBlock.ts';
import { block, leaf, mark, paragraph, text, type Leaf } from '../tree/nodes.ts';
import { findOperation, findSchemas, type FoundOperation, type OpenapiBlock } from './blockTargets.ts';
import { blocksOfDescription, lineOfDescription } from './descriptions.ts';
import { englishFacts, factsOf } from './schemaFacts.ts';
import {
  isPart,
  listIn,
  membersIn,
  readSpecification,
  textIn,
  type Part,
  type Specification,
} from './specification.ts';

const places = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const;

/** Deeper objects are named only. */
const deepest = 4;

/**
 * Describes the operation, webhook or schemas of a block in paragraphs and lists, for readers of text: what
 * the renderer shows as HTML.
 *
 * @param document  a specification, or an excerpt of it
 * @returns undefined when the block names nothing that is there, or only hidden parts
 */
export function describeBlock(document: Part, openapi: OpenapiBlock): DocumentBlock[] | undefined {
  const specification = readSpecification(document);
  if (openapi.type === 'openapi-schemas') return schemasText(document, openapi, specification);
  const found = findOperation(document, openapi, specification);
  return found && operationText(found, specification);
}

/** Replaces a block whose specification cannot be shown by its method and path. */
export function namedBlock({ data }: OpenapiBlock): DocumentBlock[] {
  const { spec } = isPart(data['ref']) ? data['ref'] : {};
  const request = [textIn(data, 'method').toUpperCase(), textIn(data, 'path') || textIn(data, 'name')];
  const names = [request.filter((word) => word !== '').join(' '), ...listIn(data, 'schemas')];
  return [
    line([
      leaf(names.filter((name) => typeof name === 'string' && name !== '').join(', '), [mark('code')]),
      leaf(` (API specification ${typeof spec === 'string' ? spec : ''})`),
    ]),
  ];
}

function operationText(
  { name, method, operation, item }: FoundOperation,
  specification: Specification,
): DocumentBlock[] {
  const summary = textIn(operation, 'summary').trim();
  return [
    ...(summary === '' ? [] : [title(summary)]),
    line([leaf(`${method.toUpperCase()} ${name}`, [mark('code')])]),
    ...(operation['deprecated'] === true ? [title('Deprecated')] : []),
    ...blocksOfDescription(textIn(operation, 'description')),
    ...parametersText([...listIn(item, 'parameters'), ...listIn(operation, 'parameters')], specification),
    ...bodyText(operation['requestBody'], specification),
    ...responsesText(operation, specification),
  ];
}

function schemasText(
  document: Part,
  openapi: OpenapiBlock,
  specification: Specification,
): DocumentBlock[] | undefined {
  const schemas = findSchemas(document, openapi, specification);
  if (schemas.length === 0) return undefined;
  const heading = textIn(openapi.data, 'title').trim();
  return [
    ...(heading === '' ? [] : [title(heading)]),
    ...schemas.flatMap(([name, schema]) => [
      line([leaf(name, [mark('code')])]),
      ...blocksOfDescription(textIn(specification.read(schema), 'description')),
      ...list(propertyItems(schema, specification, 0)),
    ]),
  ];
}

/** A parameter of the operation replaces one of its path with the same name and place. */
function parametersText(given: readonly unknown[], specification: Specification): DocumentBlock[] {
  const parameters = new Map<string, Part>();
  for (const each of given) {
    const read = specification.read(each);
    parameters.set(`${textIn(read, 'in')} ${textIn(read, 'name')}`, read);
  }
  return places.flatMap(([place, name]) => {
    const items = [...parameters.values()]
      .filter((each) => each['in'] === place && specification.take())
      .map((each) =>
        item({
          name: textIn(each, 'name'),
          facts: factsOf(each['schema'], { isRequired: each['required'] === true, specification }),
          description: textIn(each, 'description'),
        }),
      );
    return items.length === 0 ? [] : [title(name), ...list(items)];
  });
}

function bodyText(given: unknown, specification: Specification): DocumentBlock[] {
  const body = specification.read(given);
  const content = contentText(body, specification);
  if (content.length === 0) return [];
  return [
    title(body['required'] === true ? 'Body, required' : 'Body'),
    ...blocksOfDescription(textIn(body, 'description')),
    ...content,
  ];
}

function responsesText(operation: Part, specification: Specification): DocumentBlock[] {
  const items = membersIn(operation, 'responses').flatMap(([status, given]) => {
    if (!specification.take()) return [];
    const response = specification.read(given);
    const description = textIn(response, 'description');
    const [first] = membersIn(response, 'content');
    const schema = first && specification.read(first[1])['schema'];
    const facts = first ? mediaFacts(first, specification) : '';
    return [item({ name: status, facts, description }, propertyItems(schema, specification, 1))];
  });
  return items.length === 0 ? [] : [title('Responses'), ...list(items)];
}

/** The first media type: others have the same schema nearly always. */
function contentText(holder: Part, specification: Specification): DocumentBlock[] {
  const [first] = membersIn(holder, 'content');
  if (!first) return [];
  const media = specification.read(first[1]);
  return [
    line([leaf(first[0], [mark('code')]), ...factsLeaf(mediaFacts(first, specification, ''))]),
    ...list(propertyItems(media['schema'], specification, 0)),
    ...exampleText(media, specification),
  ];
}

function mediaFacts([type, given]: [string, unknown], specification: Specification, first = type): string {
  const facts = factsOf(specification.read(given)['schema'], { specification });
  return [first, facts === englishFacts.any ? '' : facts].filter((fact) => fact !== '').join(' ');
}

const longestExample = 4_000;

function exampleText(media: Part, specification: Specification): DocumentBlock[] {
  const [named] = membersIn(media, 'examples');
  const example = media['example'] ?? (named && specification.read(named[1])['value']);
  if (example === undefined || example === null) return [];
  const code = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return code.length > longestExample ? [] : [codeBlock(code, { syntax: 'json' })];
}

/** The properties of a schema, with those of the objects in it; none for a plain value. */
function propertyItems(schema: unknown, specification: Specification, depth: number): DocumentBlock[] {
  if (depth >= deepest || !specification.take()) return [];
  const read = specification.read(schema);
  // A list has the properties of its items.
  if (isPart(read['items'])) return propertyItems(read['items'], specification, depth);
  const all = [read, ...listIn(read, 'allOf').map((each) => specification.read(each))];
  const required = new Set(all.flatMap((each) => listIn(each, 'required')));
  const own = all
    .flatMap((each) => membersIn(each, 'properties'))
    .flatMap(([name, each]) =>
      specification.take()
        ? [
            item(
              {
                name,
                facts: factsOf(each, { isRequired: required.has(name), specification }),
                description: textIn(specification.read(each), 'description'),
              },
              propertyItems(each, specification, depth + 1),
            ),
          ]
        : [],
    );
  const choices = ['oneOf', 'anyOf'].flatMap((kind) => listIn(read, kind));
  return [...own, ...choices.flatMap((choice) => propertyItems(choice, specification, depth + 1))];
}

type Described = { name: string; facts: string; description: string };

function item({ name, facts, description }: Described, below: readonly DocumentBlock[] = []): DocumentBlock {
  const about = lineOfDescription(description);
  const leaves = [
    leaf(name, [mark('code')]),
    ...factsLeaf(facts),
    ...(about === '' ? [] : [leaf(`: ${about}`)]),
  ];
  return block('list-item', { nodes: [line(leaves), ...list(below)] });
}

function factsLeaf(facts: string): Leaf[] {
  return facts === '' ? [] : [leaf(` ${facts}`)];
}

function list(items: readonly DocumentBlock[]): DocumentBlock[] {
  return items.length === 0 ? [] : [block('list-unordered', { nodes: [...items] })];
}

function title(words: string): DocumentBlock {
  return line([leaf(words, [mark('bold')])]);
}

function line(leaves: Leaf[]): DocumentBlock {
  return paragraph([text(leaves)]);
}
