import type { FoundPage } from '@bindery/content';

/** The page at a path. Paths follow the names of files, which some systems write in decomposed letters. */
export function findPageAt(path: string, pages: ReadonlyMap<string, FoundPage>): FoundPage | undefined {
  return pages.get(path) ?? pages.get(path.normalize('NFC')) ?? pages.get(path.normalize('NFD'));
}
