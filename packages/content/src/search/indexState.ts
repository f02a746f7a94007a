import { SpaceIndex, type SpaceIndexRecord } from '@bindery/models';
import type { ComputedPages } from './indexParts.ts';
import { pagesBehind } from './pagesBehind.ts';

/** Callers have given up after this time. */
export const maxQueryMs = 3_000;

/**
 * The state of the index of some spaces, and the number of pages that members and all visitors can find.
 *
 * Caches are keyed by the state: every change of the index by any process gives it another `version`, which
 * each search loads first. So cached data is never out of date.
 */
export type SearchedSpaces = { spaces: readonly SearchedSpace[]; pages: number; openPages: number };

/**
 * `behind` lists the pages hidden from visitors because the index has an outdated version of them, `computed`
 * those that are searched beside the index.
 */
export type SearchedSpace = Pick<SpaceIndexRecord, '_id' | 'version'> & {
  behind?: ReadonlySet<string> | undefined;
  computed?: ComputedPages | undefined;
};

/**
 * Loads the current state. Omits spaces without any index.
 *
 * @param isForVisitor  also finds the pages whose index is outdated
 * @param computed      the computed pages that the searcher sees, by their space
 */
export async function loadIndexState(
  spaces: readonly string[],
  {
    isForVisitor,
    computed,
  }: { isForVisitor: boolean; computed?: ReadonlyMap<string, ComputedPages> | undefined },
): Promise<SearchedSpaces> {
  if (spaces.length === 0) return noSpaces;
  const found = (await SpaceIndex.collection
    .find({ _id: { $in: [...spaces] } } as never, { projection: { run: 0 }, maxTimeMS: maxQueryMs })
    .toArray()) as unknown as SpaceIndexRecord[];
  const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  const { spaces: shown, behind } = isForVisitor ? await pagesBehind(found) : everything;
  const searched = found
    .filter(({ _id }) => shown?.has(_id) ?? true)
    .map(({ _id, version }) => ({ _id, version, behind: behind.get(_id), computed: computed?.get(_id) }));
  const more = sumOf(searched.map((space) => space.computed?.pages.size ?? 0));
  return {
    spaces: searched,
    pages: more + sumOf(found.map(({ pages }) => pages)),
    openPages: more + sumOf(found.map(({ openPages = 0 }) => openPages)),
  };
}

const everything = { spaces: undefined, behind: new Map<string, Set<string>>() };

export const noSpaces: SearchedSpaces = { spaces: [], pages: 0, openPages: 0 };
