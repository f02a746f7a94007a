import type { FileItem } from '../store/items.ts';

const maxLength = 256;
const longestEnding = 20;

/**
 * Returns a name that no other file has, even on a disk that ignores case: a taken name gets a number before
 * its extension.
 */
export function freeFileName(files: readonly FileItem[], wanted: string): string {
  const keyOf = (name: string) => name.normalize('NFC').toLowerCase();
  const taken = new Set(files.map(({ name }) => keyOf(name)));
  if (!taken.has(keyOf(wanted))) return wanted;
  const dot = wanted.lastIndexOf('.');
  const [stem, ending] =
    dot > 0 && wanted.length - dot <= longestEnding
      ? [wanted.slice(0, dot), wanted.slice(dot)]
      : [wanted, ''];
  for (let number = 1; ; number += 1) {
    const suffix = ` (${number})${ending}`;
    const name = [...stem].slice(0, Math.max(1, maxLength - [...suffix].length)).join('') + suffix;
    if (!taken.has(keyOf(name))) return name;
  }
}
