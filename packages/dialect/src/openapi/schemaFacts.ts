import { isPart, listIn, textIn, type Part, type Specification } from './specification.ts';

/** Deeper lists are not named. */
const deepest = 4;

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
