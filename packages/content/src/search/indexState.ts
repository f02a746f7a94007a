import { SpaceIndex, type SpaceIndexRecord } from '@bindery/models';
import { pagesBehind } from './pagesBehind.ts';

/** Whoever asked has given up by then. */
export const maxQueryMs = 3_000;

/**
 * A state of the index of some spaces, and how many pages can be found in them, by members and by every visitor.
 *
 * What is read in a state is kept for it: any change of the index, by whichever process, has another `version`, which each search asks for first.
 * So what a process remembers is never out of date.
 */
export type SearchedSpaces = { spaces: readonly SearchedSpace[]; pages: number; openPages: number };

/** `behind` are the pages that a visitor does not find yet: the index shows them as they were. */
export type SearchedSpace = Pick<SpaceIndexRecord, '_id' | 'version'> & { behind?: ReadonlySet<string> | undefined };

/**
 * The state now. Spaces that nothing was indexed of yet are left out.
 *
 * @param isForVisitor  also finds out what the index does not show as it is now
 */
export async function loadIndexState(spaces: readonly string[], { isForVisitor }: { isForVisitor: boolean }): Promise<SearchedSpaces> {
  if (spaces.length === 0) return noSpaces;
  const found = (await SpaceIndex.collection
    .find({ _id: { $in: [...spaces] } } as never, { projection: { run: 0 }, maxTimeMS: maxQueryMs })
    .toArray()) as unknown as SpaceIndexRecord[];
  const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  const { spaces: shown, behind } = isForVisitor ? await pagesBehind(found) : everything;
  const searched = found
    .filter(({ _id }) => shown?.has(_id) ?? true)
    .map(({ _id, version }) => ({ _id, version, behind: behind.get(_id) }));
  return { spaces: searched, pages: sumOf(found.map(({ pages }) => pages)), openPages: sumOf(found.map(({ openPages = 0 }) => openPages)) };
}

const everything = { spaces: undefined, behind: new Map<string, Set<string>>() };

export const noSpaces: SearchedSpaces = { spaces: [], pages: 0, openPages: 0 };
