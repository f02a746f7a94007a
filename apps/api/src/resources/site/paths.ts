import { ApiError } from '@bindery/contract';
import { slugOfTitle } from '@bindery/dialect/repository-format';

const maxLength = 100;

/** What tells two paths apart: who types a URL does not look at upper and lower case. */
export function pathKey(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * A path from a title that none of `taken` has, in whatever case: behind one that is taken stands a number.
 * `empty` is for titles without letters and digits.
 */
export function freePath(
  title: string,
  { taken, empty }: { taken: ReadonlySet<string>; empty: string },
): string {
  // What is cut off may be half of a character.
  const slug = slugOfTitle(title, empty).toWellFormed().replace('\ufffd', '') || empty;
  const keys = new Set(Array.from(taken, pathKey));
  let path = slug;
  for (let number = 2; keys.has(pathKey(path)); number++) {
    const suffix = `-${number}`;
    path = `${[...slug].slice(0, maxLength - suffix.length).join('')}${suffix}`;
  }
  return path;
}

/** A path as somebody has written it, in the one form in which it is compared. */
export function givenPath(path: string): string {
  return path.normalize('NFC');
}

/** The refusal of a path that a sibling has. */
export function pathTaken(path: string): ApiError {
  return new ApiError('conflict', `The path ${path} is taken by another part of the site.`, {
    action: 'Choose another `path`.',
  });
}
