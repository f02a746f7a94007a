import { TranslatedSegment } from '@bindery/models';
import { similarity } from '@bindery/translation';
import { textsOfCut } from './sourcePages.ts';
import type { Cut } from './cutInGroups.ts';

/** Texts this similar are fuzzy matches. */
const fuzzyFrom = 0.75;
/** Of a page; beyond it, texts count as new. */
const maxComparisons = 20_000;

/**
 * Finds the texts that are similar to one that the page had before, and has no more.
 *
 * @param context.known  the keys of texts that need no engine
 * @returns keys
 */
export async function findFuzzy(
  cut: readonly Cut[],
  { translation, known }: { translation: string; known: ReadonlyMap<string, unknown> },
): Promise<Set<string>> {
  const pages = cut.map(({ source }) => source.id);
  const before = await TranslatedSegment.find(
    { translation, page: { $in: pages }, state: { $ne: 'removed' } },
    { page: 1, key: 1, source: 1 },
  ).lean();
  const byPage = Map.groupBy(before, ({ page }) => page);
  const fuzzy = new Set<string>();
  for (const one of cut) {
    const texts = textsOfCut(one);
    const present = new Set(texts.map(({ human }) => human));
    const old = (byPage.get(one.source.id) ?? []).filter(({ key }) => !present.has(key));
    const added = texts.filter(({ key }) => !known.has(key));
    if (old.length * added.length > maxComparisons) continue;
    for (const { key, text } of added)
      if (old.some(({ source }) => similarity(source, text) >= fuzzyFrom)) fuzzy.add(key);
  }
  return fuzzy;
}
