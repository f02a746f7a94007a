import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SiteCustomization } from '@bindery/contract';

export type IconStyle = SiteCustomization['styling']['icons'];

type IconSet = 'solid' | 'regular' | 'brands';

/** The free sets in the order in which they are searched. None is light, thin or in two tones. */
const setsOf: Readonly<Record<IconStyle, readonly IconSet[]>> = {
  regular: ['regular', 'solid', 'brands'],
  light: ['regular', 'solid', 'brands'],
  thin: ['regular', 'solid', 'brands'],
  solid: ['solid', 'regular', 'brands'],
  duotone: ['solid', 'regular', 'brands'],
};

/** The path of each icon of a set by its name, in a square of 640 units. About 3 MB for all sets. */
const known = new Map<IconSet, ReadonlyMap<string, string>>();

/** The path of an icon of Font Awesome Free, as in `d` of SVG; undefined for a name that is not free. */
export function iconPath(name: string, style: IconStyle): string | undefined {
  for (const set of setsOf[style]) {
    const path = pathsIn(set).get(name);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Reads a set when a page first needs it, which takes some milliseconds. */
function pathsIn(set: IconSet): ReadonlyMap<string, string> {
  const found = known.get(set);
  if (found) return found;
  const file = fileURLToPath(import.meta.resolve(`@iconify-json/fa7-${set}/icons.json`));
  const { icons } = JSON.parse(readFileSync(file, 'utf8')) as { icons: Record<string, { body: string }> };
  const paths = new Map(
    Object.entries(icons).flatMap(([name, { body }]): [string, string][] => {
      const path = /^<path fill="currentColor" d="([^"]+)"\/>$/.exec(body)?.[1];
      return path === undefined ? [] : [[name, path]];
    }),
  );
  known.set(set, paths);
  return paths;
}
