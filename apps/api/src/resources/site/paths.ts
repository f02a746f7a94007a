import { ApiError } from '@bindery/contract';
import { slugOfTitle } from '@bindery/dialect/repository-format';

const maxLength = 100;

/** A key that is equal for paths that count as the same: readers who type a URL ignore case. */
export function pathKey(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Derives from a title a path that is not in `taken`, ignoring case; appends a number if necessary. `empty`
 * is for titles without letters and digits.
 */
export function freePath(
  title: string,
  { taken, empty }: { taken: ReadonlySet<string>; empty: string },
): string {
  // Truncation may cut a character in half.
  const slug = slugOfTitle(title, empty).toWellFormed().replace('\ufffd', '') || empty;
  const keys = new Set(Array.from(taken, pathKey));
  let path = slug;
  for (let number = 2; keys.has(pathKey(path)); number++) {
    const suffix = `-${number}`;
    path = `${[...slug].slice(0, maxLength - suffix.length).join('')}${suffix}`;
  }
  return path;
}

/** Normalizes a path from a request to the form in which it is stored. */
export function givenPath(path: string): string {
  return path.normalize('NFC');
}

/** The error for a path that a sibling has. */
export function pathTaken(path: string): ApiError {
  return new ApiError('conflict', `The path ${path} is taken by another part of the site.`, {
    action: 'Choose another `path`.',
  });
}
