import { percentDecoded } from '@bindery/dialect/links';

/** What stands where: pages and files by the places that they were read from. */
export type Places<Thing> = {
  /** The first one at a place keeps it. */
  add(place: URL, thing: Thing): void;
  find(place: URL): Thing | undefined;
};

export function createPlaces<Thing>(): Places<Thing> {
  const things = new Map<string, Thing>();
  return {
    add(place, thing) {
      for (const key of [keyOf(place, place.search), keyOf(place, '')]) if (!things.has(key)) things.set(key, thing);
    },
    find: (place) => things.get(keyOf(place, place.search)) ?? things.get(keyOf(place, '')),
  };
}

/** Encoding, composition of letters, a slash at the end and the name of an index page make no difference. */
function keyOf({ protocol, host, pathname }: URL, search: string): string {
  const path = (percentDecoded(pathname) ?? pathname).normalize('NFC').replace(/\/(?:index\.html?)?$/i, '');
  // The same site answers over both.
  return `${protocol === 'http:' ? 'https:' : protocol}//${host}${path}${search}`;
}
