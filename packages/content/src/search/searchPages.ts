import type { IndexedPageRecord } from '@bindery/models';
import { isConditionMet, type VisitorClaims } from '@bindery/dialect';
import { excerptAt, findTerms, foldText } from './excerpt.ts';
import { loadIndexState, noSpaces, type SearchedSpaces } from './indexState.ts';
import type { ComputedPages, StoredPage, StoredSection } from './indexParts.ts';
import { loadIndexedPages, recordId } from './loadIndexedPages.ts';
import { rankPages, type RankedPage } from './rankPages.ts';
import { readingsOf, type Reading } from './searchTerms.ts';
import { sectionsOf } from './sectionsOf.ts';

const maxSections = 5;

/**
 * The result of a search: all pages in order, the searcher, the reading of the query, and the state of the
 * index.
 */
export type FoundPages = {
  ranked: readonly RankedPage[];
  claims?: VisitorClaims | undefined;
  query: string;
  reading: number;
  state: SearchedSpaces;
};

/** A matching section of a page. */
export type FoundSection = { id: string; title: string; body: string; score: number };

/**
 * A page of a search result. `rank` counts from 1 over all results. `isNamed`: its title has all words of the
 * search.
 */
export type ShownPage = Pick<
  IndexedPageRecord,
  'space' | 'page' | 'title' | 'path' | 'description' | 'ancestors'
> & {
  score: number;
  rank: number;
  isNamed: boolean;
  sections: FoundSection[];
};

/**
 * Finds the pages of some spaces that match a query, the best first. The query is plain text; searchTerms.ts
 * describes how it is read.
 *
 * @param spaces   the spaces that the caller may see; no others are searched
 * @param claims   of a visitor: content whose conditions they do not meet is not found. Members find
 *   everything
 * @param computed  pages beside those of the index that the caller sees, by their space
 * @param reading  the reading of the query, for further results of the same search
 */
export async function searchPages(
  spaces: readonly string[],
  {
    query,
    claims,
    computed,
    reading: known,
  }: {
    query: string;
    claims?: VisitorClaims | undefined;
    computed?: ReadonlyMap<string, ComputedPages>;
    reading?: number | undefined;
  },
): Promise<FoundPages> {
  const readings = readingsOf(query);
  const state =
    readings.length === 0
      ? noSpaces
      : await loadIndexState(spaces, { isForVisitor: claims !== undefined, computed });
  for (const [index, reading] of readings.entries()) {
    if (known !== undefined && index !== known) continue;
    const ranked = await rankPages(state, { ...reading, claims });
    if (ranked.length > 0 || index === known) return { ranked, claims, query, reading: index, state };
  }
  return { ranked: [], claims, query, reading: 0, state };
}

/**
 * Loads some of the found pages with their matching sections, in the given order. Omits pages removed since
 * the search.
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
    return {
      space,
      page,
      title,
      path,
      description,
      ancestors,
      score,
      rank,
      isNamed: findTerms(foldText(title), { terms }).found === terms.length,
      sections,
    };
  });
}

/**
 * The sections of a page that a searcher may see: those without conditions, and those whose conditions are
 * met.
 */
function shownSections(
  { sections, chains }: StoredPage,
  claims: VisitorClaims | undefined,
): readonly StoredSection[] {
  if (!chains) return sections;
  const isMet = chains.map(
    (chain) => claims !== undefined && chain.every((condition) => isConditionMet(condition, claims)),
  );
  const pieces = sections
    .filter(({ chain }) => chain === undefined || isMet[chain])
    .map(({ id, title, body, isContinued }) => ({
      id,
      title: title.text,
      lines: body.text === '' ? [] : [body.text],
      isContinued,
    }));
  return sectionsOf(pieces).map(({ id, title, text }) => ({
    id,
    title: foldText(title),
    body: foldText(text),
  }));
}

/** The sections with the most matches; matches in a heading count three times. */
function foundSections(
  sections: readonly StoredSection[],
  { terms, score }: { terms: Reading['terms']; score: number },
): FoundSection[] {
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
