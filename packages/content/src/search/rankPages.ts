import { isConditionMet, type VisitorClaims } from '@bindery/dialect';
import type { SearchedSpaces } from './indexState.ts';
import type { Posting, Term } from './indexParts.ts';
import { findPostings } from './postings.ts';

/** A found page; a higher `score` is better. `isInParts` if some of its content depends on conditions. */
export type RankedPage = { space: string; page: string; score: number; isInParts?: true };

/**
 * Ranks the pages of these spaces that contain all of some terms, or any of them, the best first.
 *
 * A page's score is the sum of its terms' weights; rarer terms count for more, as in BM25, and a word that a
 * prefix matches counts for less than the word itself. Ties are ordered by id, so that the order is stable.
 *
 * @param terms  each with equivalent forms
 * @param claims  of a visitor: content that they may not read is neither found nor counted nor weighed; a
 *   member finds everything
 */
export async function rankPages(
  state: SearchedSpaces,
  {
    terms,
    mustHold,
    claims,
  }: { terms: readonly (readonly Term[])[]; mustHold: 'all' | 'any'; claims?: VisitorClaims | undefined },
): Promise<RankedPage[]> {
  const isShown = shownTo(claims);
  const behind = new Map(
    state.spaces.flatMap((space) => (space.behind?.size ? [[space._id, space.behind] as const] : [])),
  );
  const total = claims ? state.openPages : state.pages;
  const counted = await Promise.all(
    terms.map(async (forms) => {
      const found = heaviest(
        await Promise.all(forms.map((term) => findPostings(state, term))),
        isShown,
        behind,
      );
      return { found, pages: found.values().reduce((sum, postings) => sum + postings.length, 0) };
    }),
  );
  // The rarest first, because only its pages can contain all terms.
  counted.sort((a, b) => a.pages - b.pages);
  const ranked: RankedPage[] = [];
  for (const { _id: space } of state.spaces) {
    const scores = new Map<string, Omit<RankedPage, 'space' | 'page'> & { terms: number }>();
    for (const [index, { found, pages }] of counted.entries()) {
      const rarity = Math.log(1 + (Math.max(0, total - pages) + 0.5) / (pages + 0.5));
      for (const { page, weight, isWhole, audience } of found.get(space) ?? []) {
        const known = scores.get(page);
        if (mustHold === 'all' && (known?.terms ?? 0) !== index) continue;
        const score = Math.max(0.01, rarity) * weight * (isWhole ? 1 : 0.7);
        if (known) {
          known.score += score;
          known.terms += 1;
        } else scores.set(page, { score, terms: 1, isInParts: audience === 'visitors' || undefined });
      }
    }
    for (const [page, { score, terms: held, ...how }] of scores)
      if (mustHold === 'any' || held === terms.length)
        ranked.push({ space, page, score: Math.round(score) / 100, ...how });
  }
  return ranked.sort(byRank);
}

function byRank(a: RankedPage, b: RankedPage): number {
  return b.score - a.score || compareText(a.page, b.page) || compareText(a.space, b.space);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Returns whether a searcher may find the content of an index record. */
function shownTo(claims: VisitorClaims | undefined): (posting: Posting) => boolean {
  if (!claims) return ({ audience }) => audience !== 'visitors';
  // The pages of a space have few different conditions, each shared by many pages.
  const met = new Map<string, boolean>();
  const isMet = (condition: string) => {
    const known = met.get(condition) ?? isConditionMet(condition, claims);
    met.set(condition, known);
    return known;
  };
  return ({ audience, conditions = [] }) =>
    (audience === 'everybody' || audience === 'visitors') && conditions.every(isMet);
}

/**
 * Takes, for each page, the heaviest visible posting among several forms of a word and several records.
 *
 * @param behind  pages of spaces that count as absent
 */
function heaviest(
  forms: readonly Map<string, Posting[]>[],
  isShown: (posting: Posting) => boolean,
  behind: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, readonly Posting[]> {
  const [first, ...others] = forms;
  const isPlain = ({ audience, conditions }: Posting) => audience === 'everybody' && conditions === undefined;
  // Few pages have conditions.
  if (
    first &&
    others.length === 0 &&
    behind.size === 0 &&
    first.values().every((postings) => postings.every(isPlain))
  )
    return first;
  const merged = new Map<string, Map<string, Posting>>();
  for (const found of forms) {
    for (const [space, postings] of found) {
      const pages = merged.get(space) ?? new Map<string, Posting>();
      merged.set(space, pages);
      const absent = behind.get(space);
      for (const posting of postings)
        if (
          isShown(posting) &&
          !absent?.has(posting.page) &&
          (pages.get(posting.page)?.weight ?? 0) < posting.weight
        )
          pages.set(posting.page, posting);
    }
  }
  return new Map([...merged].map(([space, pages]) => [space, [...pages.values()]]));
}
