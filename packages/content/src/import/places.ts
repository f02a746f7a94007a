import { percentDecoded } from '@bindery/dialect/links';

/** Finds pages and files by the places that they were read from. */
export type Places<Thing> = {
  /** Adds a thing, unless the place is taken. */
  add(place: URL, thing: Thing): void;
  find(place: URL): Thing | undefined;
};

export function createPlaces<Thing>(): Places<Thing> {
  const things = new Map<string, Thing>();
  return {
    add(place, thing) {
      for (const key of [keyOf(place, place.search), keyOf(place, '')])
        if (!things.has(key)) things.set(key, thing);
    },
    find: (place) => things.get(keyOf(place, place.search)) ?? things.get(keyOf(place, '')),
  };
}

/** Ignores encoding, the composition of letters, a trailing slash and the name of an index page. */
function keyOf({ protocol, host, pathname }: URL, search: string): string {
  const path = (percentDecoded(pathname) ?? pathname).normalize('NFC').replace(/\/(?:index\.html?)?$/i, '');
  // Both schemes lead to the same site.
  return `${protocol === 'http:' ? 'https:' : protocol}//${host}${path}${search}`;
}
