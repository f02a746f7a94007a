import { SpaceIndex, type SpaceIndexRecord } from '@bindery/models';

/** Whoever asked has given up by then. */
export const maxQueryMs = 3_000;

/**
 * A state of the index of some spaces, and how many pages can be found in them.
 *
 * What is read in a state is kept for it: any change of the index, by whichever process, has another `version`, which each search asks for first.
 * So what a process remembers is never out of date.
 */
export type SearchedSpaces = { spaces: readonly Pick<SpaceIndexRecord, '_id' | 'version' | 'pages'>[]; pages: number };

/** The state now. Spaces that nothing was indexed of yet are left out. */
export async function loadIndexState(spaces: readonly string[]): Promise<SearchedSpaces> {
  if (spaces.length === 0) return { spaces: [], pages: 0 };
  const found = (await SpaceIndex.collection
    .find({ _id: { $in: [...spaces] } } as never, { projection: { version: 1, pages: 1 }, maxTimeMS: maxQueryMs })
    .toArray()) as unknown as SpaceIndexRecord[];
  return { spaces: found, pages: found.reduce((sum, { pages }) => sum + pages, 0) };
}
