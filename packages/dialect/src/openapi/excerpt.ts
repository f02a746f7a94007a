import { isHidden, nearestPath, type OpenapiBlock } from './blockTargets.ts';
import { placeOf } from './pointer.ts';
import { isPart, listIn, textIn, type Part } from './specification.ts';
import type { SpecificationFile } from './specificationFile.ts';

/** Further objects that a description refers to are left out: it names them only. */
const maxReferenced = 2_000;
/** Length of the JSON of all parts. */
const maxCharacters = 4_000_000;

/**
 * Takes the parts of a specification that some blocks show, and what these refer to: a small document of the
 * same form.
 *
 * @param room  the length of its JSON, in characters; parts beyond it are left out
 */
export function excerptOf(
  file: SpecificationFile,
  blocks: readonly OpenapiBlock[],
  room = maxCharacters,
): Part {
  const excerpt: Part = {};
  const pending: unknown[] = [];
  const left = { characters: room, references: maxReferenced };
  const add = (place: readonly string[]) => {
    const value = file.at(place);
    if (value === undefined || has(excerpt, place)) return;
    left.characters -= JSON.stringify(value).length;
    if (left.characters < 0) return;
    put(excerpt, place, value);
    pending.push(value);
  };
  for (const block of blocks) for (const place of placesOf(file, block)) add(place);
  for (let value = pending.shift(); value !== undefined && left.references > 0; value = pending.shift())
    for (const place of referencedIn(value)) {
      left.references -= 1;
      // A reference into an operation or a schema takes the whole of it.
      add(place.slice(0, levelOf(place)));
    }
  return excerpt;
}

function placesOf(file: SpecificationFile, { type, data }: OpenapiBlock): string[][] {
  if (type === 'openapi-schemas')
    return listIn(data, 'schemas').flatMap((name) =>
      typeof name === 'string' ? [['components', 'schemas', name]] : [],
    );
  const isWebhook = type === 'openapi-webhook';
  const under = isWebhook ? 'webhooks' : 'paths';
  const wanted = textIn(data, isWebhook ? 'name' : 'path');
  const name = nearestPath(wanted, (each) => file.at([under, each]) !== undefined);
  if (name === undefined) return [];
  const item = file.at([under, name]);
  const method = textIn(data, 'method').toLowerCase();
  const around = isWebhook ? [] : placesAround(file, isPart(item) ? item[method] : undefined);
  if (!isPart(item) || isHidden(item) || '$ref' in item) return [[under, name], ...around];
  // Not the other methods of the path.
  return [[under, name, 'parameters'], [under, name, 'servers'], [under, name, method], ...around];
}

/** The places outside of paths that an operation needs: servers, and the security that it names. */
function placesAround(file: SpecificationFile, operation: unknown): string[][] {
  const own = isPart(operation) ? operation['security'] : undefined;
  const ways = own ?? file.at(['security']);
  const schemes = new Set(
    (Array.isArray(ways) ? (ways as unknown[]) : []).filter(isPart).flatMap(Object.keys),
  );
  return [
    ['servers'],
    ['security'],
    ...Array.from(schemes, (name) => ['components', 'securitySchemes', name]),
  ];
}

const sections = ['components', 'paths', 'webhooks'];

function levelOf([section = '']: readonly string[]): number {
  return sections.includes(section) ? 3 : 2;
}

/** The places that a value refers to. Values are trees of JSON, so there is an end. */
function* referencedIn(value: unknown): Iterable<string[]> {
  const open = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== 'object' || each === null) continue;
    const place = isPart(each) ? placeOf(each['$ref']) : undefined;
    if (place) yield place;
    for (const member of Object.values(each)) open.push(member ?? null);
  }
}

function has(excerpt: Part, place: readonly string[]): boolean {
  let found: unknown = excerpt;
  for (const name of place) {
    if (!isPart(found) || !Object.hasOwn(found, name)) return false;
    found = found[name];
  }
  return true;
}

function put(excerpt: Part, place: readonly string[], value: unknown): void {
  let holder = excerpt;
  for (const name of place.slice(0, -1)) {
    const next = Object.hasOwn(holder, name) && isPart(holder[name]) ? holder[name] : {};
    define(holder, name, next);
    holder = next;
  }
  define(holder, place.at(-1) ?? '', value);
}

/** An author may call a schema `__proto__`. */
function define(holder: Part, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true });
}
