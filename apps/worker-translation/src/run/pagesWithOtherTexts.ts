import { humanTextsSince, pairName, TranslatedSegment, type TranslationRecord } from '@bindery/models';
import { glossaryOf, partsOfText, termsIn } from '@bindery/translation';
import type { RunSettings } from './runSettings.ts';

/**
 * Finds the pages whose translation changes although their source has not: those with a text that a person
 * has translated since the last run, and those in which other terms of the glossary occur.
 */
export async function pagesWithOtherTexts(
  translation: TranslationRecord,
  settings: RunSettings,
): Promise<ReadonlySet<string>> {
  const pages = new Set<string>();
  for await (const page of pagesWithNewTexts(translation, settings)) pages.add(page);
  if (translation.terms !== settings.termsHash)
    for await (const page of pagesWithOtherTerms(translation._id, settings)) pages.add(page);
  return pages;
}

async function* pagesWithNewTexts(
  { _id: translation, organization, memoryReadAt }: TranslationRecord,
  { pair }: RunSettings,
): AsyncIterable<string> {
  if (!memoryReadAt) return;
  for await (const texts of humanTextsSince({ organization, pair: pairName(pair) }, memoryReadAt)) {
    const textOf = new Map(texts.map(({ key, text }) => [key, text]));
    const segments = TranslatedSegment.find(
      { translation, key: { $in: [...textOf.keys()] }, state: { $ne: 'removed' } },
      { page: 1, key: 1, state: 1, target: 1, isPending: 1 },
    )
      .lean()
      .cursor();
    for await (const { page, key, state, target, isPending } of segments)
      if (isPending || state !== 'human' || target !== textOf.get(key)) yield page;
  }
}

async function* pagesWithOtherTerms(
  translation: string,
  { pages: { terms } }: RunSettings,
): AsyncIterable<string> {
  const glossary = glossaryOf(terms);
  const segments = TranslatedSegment.find(
    { translation, state: { $ne: 'removed' } },
    { page: 1, source: 1, terms: 1 },
  )
    .lean()
    .cursor();
  for await (const { page, source, terms: before = [] } of segments) {
    const now = termsIn(partsOfText(source) ?? [], glossary).map((term) => [term.source, term.target]);
    if (JSON.stringify(now) !== JSON.stringify(before)) yield page;
  }
}
