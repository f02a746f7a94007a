import type { FoundPage } from '@bindery/content';

/** The page at a path. Paths follow file names, which some systems decompose (Unicode NFD). */
export function findPageAt(path: string, pages: ReadonlyMap<string, FoundPage>): FoundPage | undefined {
  return pages.get(path) ?? pages.get(path.normalize('NFC')) ?? pages.get(path.normalize('NFD'));
}
