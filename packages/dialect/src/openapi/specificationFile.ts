import { itemsAt, membersAt, parseSlice, skipBlanks, type JsonSlice } from './jsonMembers.ts';
import { isPart, type Part } from './specification.ts';

/** A stored specification, of which only the parts that somebody asks for are parsed. */
export type SpecificationFile = {
  /** The names in the object at a place such as `['paths']` or `['components', 'schemas']`, in order. */
  namesIn(place: readonly string[]): string[];
  /** The value at a place; undefined when it is not there. */
  at(place: readonly string[]): unknown;
};

/** The levels of names that are found without parsing; what is deeper is part of a small value. */
const levels: Readonly<Record<string, number>> = { paths: 2, webhooks: 2, components: 3 };
/** Parsed values that are kept, because operations refer to the same schemas. */
const maxKept = 2_000;

/**
 * Opens the files of a version, as they are stored: the JSON of a list of OpenAPISpecFile, of which the entry
 * is read.
 *
 * @throws SyntaxError for another text
 */
export function openSpecification(json: Buffer): SpecificationFile {
  const root = entryOf(json);
  const opened = new Map<string, ReadonlyMap<string, JsonSlice>>();
  const kept = new Map<string, unknown>();

  const slices = (place: readonly string[]): ReadonlyMap<string, JsonSlice> => {
    const key = JSON.stringify(place);
    const known = opened.get(key);
    if (known) return known;
    const slice = place.length === 0 ? root : slices(place.slice(0, -1)).get(place.at(-1) ?? '');
    const members: ReadonlyMap<string, JsonSlice> = slice ? membersAt(json, slice.start) : new Map();
    opened.set(key, members);
    return members;
  };
  const parsed = (place: readonly string[]): unknown => {
    const key = JSON.stringify(place);
    if (kept.has(key)) return kept.get(key);
    const slice = slices(place.slice(0, -1)).get(place.at(-1) ?? '');
    const value = slice && parseSlice(json, slice);
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, value);
    return value;
  };
  return {
    namesIn: (place) => [...slices(place).keys()],
    at(place) {
      const level = Math.min(place.length, levels[place[0] ?? ''] ?? 1);
      if (level === 0) return undefined;
      let found = parsed(place.slice(0, level));
      for (const name of place.slice(level)) {
        if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
        found = (found as Part)[name];
      }
      return found;
    },
  };
}

function entryOf(json: Buffer): JsonSlice {
  const files = itemsAt(json, skipBlanks(json, 0)).map(({ start }) => membersAt(json, start));
  const entry = files.find((file) => {
    const slice = file.get('isEntrypoint');
    return slice && parseSlice(json, slice) === true;
  });
  return entry?.get('specification') ?? { start: json.length, end: json.length };
}

/** The object at a place; an empty one for anything else. */
export function partAt(file: SpecificationFile, place: readonly string[]): Part {
  const found = file.at(place);
  return isPart(found) ? found : {};
}
