import { decoded, placeOf } from './pointer.ts';

/** A member of a specification; nobody checked its form. */
export type Part = Record<string, unknown>;

/** Reads a specification by its internal references. */
export type Specification = {
  /** The object that a part is, or refers to; an empty one for anything else. */
  read(part: unknown): Part;
  /** The name of the schema that a part refers to. */
  nameOf(part: unknown): string | undefined;
  /** Counts down for each part that is shown; false when there is no room for more. */
  take(): boolean;
};

/** References may lead to references, in the end to themselves. */
const mostHops = 10;
/** A specification of 1 kB can say that each of ten schemas holds the next one ten times. */
const mostParts = 2_000;

export function readSpecification(document: object): Specification {
  let left = mostParts;
  return {
    read(part) {
      let found: unknown = part;
      for (let hop = 0; hop < mostHops; hop += 1) {
        const ref = isPart(found) ? found['$ref'] : undefined;
        if (typeof ref !== 'string') break;
        found = at(document, ref);
      }
      return isPart(found) && found['$ref'] === undefined ? found : {};
    },
    nameOf(part) {
      const ref = isPart(part) ? part['$ref'] : undefined;
      return typeof ref === 'string' ? decoded(ref.split('/').at(-1) ?? '') : undefined;
    },
    take() {
      left -= 1;
      return left >= 0;
    },
  };
}

/** Follows a pointer such as `#/components/schemas/Pet`; what is outside of the document is not there. */
function at(document: unknown, ref: string): unknown {
  const place = placeOf(ref);
  if (!place) return undefined;
  let found = document;
  for (const name of place) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Part)[name];
  }
  return found;
}

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that is a text; empty for any other. */
export function textIn(part: Part, name: string): string {
  const value = Object.hasOwn(part, name) ? part[name] : undefined;
  return typeof value === 'string' ? value : '';
}

export function listIn(part: Part, name: string): unknown[] {
  const value = part[name];
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function membersIn(part: Part, name: string): [string, unknown][] {
  const value = part[name];
  return isPart(value) ? Object.entries(value) : [];
}
