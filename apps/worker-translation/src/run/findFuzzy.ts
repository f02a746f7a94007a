import { TranslatedSegment } from '@bindery/models';
import { similarityOfWords, wordsToCompare } from '@bindery/translation';
import { setImmediate } from 'node:timers/promises';
import { textsOfCut } from './sourcePages.ts';
import type { Cut } from './cutInGroups.ts';

/** Texts this similar are fuzzy matches. */
const fuzzyFrom = 0.75;
/** Comparisons of words for a page, some 50 ms; beyond it, texts count as new. */
const maxComparisons = 10_000_000;

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
    const old = (byPage.get(one.source.id) ?? [])
      .filter(({ key }) => !present.has(key))
      .map(({ source }) => wordsToCompare(source));
    const added = texts
      .filter(({ key }) => !known.has(key))
      .map(({ key, text }) => ({ key, words: wordsToCompare(text) }));
    const comparisons = countOf(old) * countOf(added.map(({ words }) => words));
    if (comparisons === 0 || comparisons > maxComparisons) continue;
    for (const { key, words } of added)
      if (old.some((source) => similarityOfWords(source, words) >= fuzzyFrom)) fuzzy.add(key);
    // The process has leases to renew.
    await setImmediate();
  }
  return fuzzy;
}

function countOf(texts: readonly (readonly string[])[]): number {
  return texts.reduce((sum, words) => sum + words.length, 0);
}
