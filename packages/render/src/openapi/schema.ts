import { element, type Html } from '@bindery/dialect';
import type { Describing } from './describing.ts';
import { renderDescription } from './description.ts';
import { foldable, isEmpty } from './foldable.ts';
import { factsOf, isPart, listIn, membersIn, textIn } from '@bindery/dialect/openapi';

/** Deeper objects are named only. */
const deepest = 4;

/** Lists the properties of a schema, with those of the objects in it; nothing for a plain value. */
export function renderProperties(schema: unknown, describing: Describing, depth = 0): Html {
  const { specification } = describing;
  if (depth >= deepest || !specification.take()) return '';
  const read = specification.read(schema);
  const rest = { describing, depth };
  // A list has the properties of its items.
  if (isPart(read['items'])) return renderProperties(read['items'], describing, depth);
  const all = [read, ...listIn(read, 'allOf').map((each) => specification.read(each))];
  const required = new Set(all.flatMap((each) => listIn(each, 'required')));
  const properties = all.flatMap((each) => membersIn(each, 'properties'));
  const rows = properties.map(([name, each]) => property(name, each, required.has(name), rest));
  const choices = ['oneOf', 'anyOf'].flatMap((kind) => listIn(read, kind));
  return [
    rows.length === 0 ? '' : element('dl', {}, rows),
    choices.map((choice) => renderProperties(choice, describing, depth + 1)),
  ];
}

function property(
  name: string,
  schema: unknown,
  isRequired: boolean,
  { describing, depth }: { describing: Describing; depth: number },
): Html {
  const { specification, context, words } = describing;
  if (!specification.take()) return '';
  const read = specification.read(schema);
  return [
    element('dt', {}, [
      element('code', {}, name),
      ' ',
      element(
        'span',
        { class: 'detail' },
        factsOf(schema, { isRequired, specification, words: words.facts }),
      ),
    ]),
    element('dd', {}, [
      renderDescription(textIn(read, 'description'), context),
      partsOf(name, renderProperties(schema, describing, depth + 1), describing),
    ]),
  ];
}

function partsOf(name: string, properties: Html, { context, words }: Describing): Html {
  if (!context.tabGroup || isEmpty(properties)) return properties;
  const title = words.propertiesOf(element('code', {}, name));
  return foldable({ title, body: properties, isOpen: false }, context);
}
