import { isPart, listIn, textIn, type Part, type Specification } from './specification.ts';

/** Deeper lists are not named. */
const deepest = 4;

/** The words between the facts about a value. `any`: of every type. */
export type FactWords = Record<'required' | 'deprecated' | 'or' | 'any', string> &
  Record<'oneOf' | 'defaultValue' | 'listOf', (values: string) => string>;

export const englishFacts: FactWords = {
  required: 'required',
  deprecated: 'deprecated',
  or: 'or',
  any: 'any',
  oneOf: (values) => `one of ${values}`,
  defaultValue: (value) => `default ${value}`,
  listOf: (type) => `list of ${type}`,
};

type Reading = { specification: Specification; words?: FactWords };

/**
 * The type of a value and what else is known of it, in English if there are no other words:
 * `string (date), required, one of a, b`.
 */
export function factsOf(
  schema: unknown,
  { specification, words = englishFacts, isRequired = false }: Reading & { isRequired?: boolean },
): string {
  const read = specification.read(schema);
  const choices = listIn(read, 'enum').slice(0, 50).map(written);
  return [
    typeOf(schema, { specification, words }, 0),
    isRequired ? words.required : '',
    read['deprecated'] === true ? words.deprecated : '',
    choices.length > 0 ? words.oneOf(choices.join(', ')) : '',
    read['default'] === undefined ? '' : words.defaultValue(written(read['default'])),
  ]
    .filter((fact) => fact !== '')
    .join(', ');
}

function typeOf(schema: unknown, reading: Required<Reading>, depth: number): string {
  const { specification, words } = reading;
  const name = specification.nameOf(schema);
  const read: Part = specification.read(schema);
  if (depth < deepest && isPart(read['items']))
    return words.listOf(typeOf(read['items'], reading, depth + 1));
  const given = read['type'];
  const types = (Array.isArray(given) ? (given as unknown[]) : [given]).filter(
    (each) => typeof each === 'string',
  );
  const choices = ['oneOf', 'anyOf'].flatMap((kind) => listIn(read, kind));
  const names = choices.slice(0, 20).flatMap((each) => specification.nameOf(each) ?? []);
  const plain = (types.length > 0 ? types : names).join(` ${words.or} `) || words.any;
  const format = textIn(read, 'format');
  if (name !== undefined && (plain === 'object' || plain === words.any)) return name;
  return format === '' ? plain : `${plain} (${format})`;
}

function written(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 200);
}
