import type { IndexedPageRecord } from '@bindery/models';
import { isConditionMet, type VisitorClaims } from '@bindery/dialect';
import { excerptAt, findTerms, foldText } from './excerpt.ts';
import { loadIndexState, noSpaces, type SearchedSpaces } from './indexState.ts';
import { loadIndexedPages, recordId, type StoredPage, type StoredSection } from './loadIndexedPages.ts';
import { rankPages, type RankedPage } from './rankPages.ts';
import { readingsOf, type Reading } from './searchTerms.ts';
import { sectionsOf } from './sectionsOf.ts';

const maxSections = 5;

/** What a search found: all pages in their order, for whom, how the query had to be read for that, and in which state of the index. */
export type FoundPages = {
  ranked: readonly RankedPage[];
  claims?: VisitorClaims | undefined;
  query: string;
  reading: number;
  state: SearchedSpaces;
};

/** A part of a page that was found. */
export type FoundSection = { id: string; title: string; body: string; score: number };

/** A page as a search shows it. `rank` counts from 1 over everything that was found. */
export type ShownPage = Pick<IndexedPageRecord, 'space' | 'page' | 'title' | 'path' | 'description' | 'ancestors'> & {
  score: number;
  rank: number;
  sections: FoundSection[];
};

/**
 * All pages of some spaces that a query finds, the best first. The query is text and nothing else; how it is read is told in searchTerms.ts.
 *
 * @param spaces   those that the caller may see: nothing is found elsewhere
 * @param claims   of a visitor: what stands on a condition that they do not meet is not there for them. Members find everything
 * @param reading  which way to read the query, for further results of the same search
 */
export async function searchPages(
  spaces: readonly string[],
  { query, claims, reading: known }: { query: string; claims?: VisitorClaims | undefined; reading?: number | undefined },
): Promise<FoundPages> {
  const readings = readingsOf(query);
  const state = readings.length === 0 ? noSpaces : await loadIndexState(spaces, { isForVisitor: claims !== undefined });
  for (const [index, reading] of readings.entries()) {
    if (known !== undefined && index !== known) continue;
    const ranked = await rankPages(state, { ...reading, claims });
    if (ranked.length > 0 || index === known) return { ranked, claims, query, reading: index, state };
  }
  return { ranked: [], claims, query, reading: 0, state };
}

/**
 * Some of the pages that were found, with the parts of them that were meant, in the order given. A page that was removed since is left out.
 *
 * @param pages  with their ranks
 */
export async function showPages(
  pages: readonly (RankedPage & { rank: number })[],
  { claims, query, reading, state }: Omit<FoundPages, 'ranked'>,
): Promise<ShownPage[]> {
  const recordOf = await loadIndexedPages(state, pages);
  const { terms } = readingsOf(query)[reading] ?? { terms: [] };
  return pages.flatMap((ranked) => {
    const { space, page, score, rank } = ranked;
    const record = recordOf.get(recordId(ranked));
    if (!record) return [];
    const { title, path, description, ancestors } = record;
    const sections = foundSections(shownSections(record, claims), { terms, score });
    return { space, page, title, path, ...(description !== undefined && { description }), ancestors, score, rank, sections };
  });
}

/** The sections of a page that somebody sees: of one in parts only what they may read of each. */
function shownSections({ sections, chains }: StoredPage, claims: VisitorClaims | undefined): readonly StoredSection[] {
  if (!chains) return sections;
  const isMet = chains.map((chain) => claims !== undefined && chain.every((condition) => isConditionMet(condition, claims)));
  const pieces = sections
    .filter(({ chain }) => chain === undefined || isMet[chain])
    .map(({ id, title, body, isContinued }) => ({
      id,
      title: title.text,
      lines: body.text === '' ? [] : [body.text],
      ...(isContinued && { isContinued }),
    }));
  return sectionsOf(pieces).map(({ id, title, text }) => ({ id, title: foldText(title), body: foldText(text) }));
}

/** The sections that hold most of what was looked for; what stands in a heading counts three times. */
function foundSections(sections: readonly StoredSection[], { terms, score }: { terms: Reading['terms']; score: number }): FoundSection[] {
  const lookUp = (anywhere: boolean) =>
    sections.flatMap(({ id, title, body }) => {
      const inText = findTerms(body, { terms, anywhere });
      const hits = 3 * findTerms(title, { terms, anywhere }).found + inText.found;
      return hits > 0 ? [{ id, title, body, place: inText.first, share: hits / (4 * terms.length) }] : [];
    });
  const exact = lookUp(false);
  return (exact.length > 0 ? exact : lookUp(true))
    .toSorted((a, b) => b.share - a.share)
    .slice(0, maxSections)
    .map(({ id, title, body, place, share }) => ({
      id,
      title: title.text,
      body: excerptAt(body.text, place),
      score: Math.round(100 * score * share) / 100,
    }));
}
