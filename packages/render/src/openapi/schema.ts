import { element, type Html, type RenderContext } from '@bindery/dialect';
import { renderDescription } from './description.ts';
import { isPart, listIn, membersIn, textIn, type Part, type Specification } from './specification.ts';

export type Describing = { specification: Specification; context: RenderContext };

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
  const { specification, context } = describing;
  if (!specification.take()) return '';
  const read = specification.read(schema);
  return [
    element('dt', {}, [
      element('code', {}, name),
      ' ',
      element('span', { class: 'detail' }, factsOf(schema, isRequired, specification)),
    ]),
    element('dd', {}, [
      renderDescription(textIn(read, 'description'), context),
      renderProperties(schema, describing, depth + 1),
    ]),
  ];
}

/** The type of a value and what else is known of it: `string (date), required, one of a, b`. */
export function factsOf(schema: unknown, isRequired: boolean, specification: Specification): string {
  const read = specification.read(schema);
  const choices = listIn(read, 'enum').slice(0, 50).map(written);
  return [
    typeOf(schema, specification, 0),
    isRequired ? 'required' : '',
    read['deprecated'] === true ? 'deprecated' : '',
    choices.length > 0 ? `one of ${choices.join(', ')}` : '',
    read['default'] === undefined ? '' : `default ${written(read['default'])}`,
  ]
    .filter((fact) => fact !== '')
    .join(', ');
}

function typeOf(schema: unknown, specification: Specification, depth: number): string {
  const name = specification.nameOf(schema);
  const read: Part = specification.read(schema);
  if (depth < deepest && isPart(read['items']))
    return `list of ${typeOf(read['items'], specification, depth + 1)}`;
  const given = read['type'];
  const types = (Array.isArray(given) ? (given as unknown[]) : [given]).filter(
    (each) => typeof each === 'string',
  );
  const choices = ['oneOf', 'anyOf'].flatMap((kind) => listIn(read, kind));
  const names = choices.slice(0, 20).flatMap((each) => specification.nameOf(each) ?? []);
  const plain = types.length > 0 ? types.join(' or ') : names.join(' or ') || 'any';
  const format = textIn(read, 'format');
  if (name !== undefined && (plain === 'object' || plain === 'any')) return name;
  return format === '' ? plain : `${plain} (${format})`;
}

function written(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 200);
}
