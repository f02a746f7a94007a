import type { SearchedSpaces } from './indexState.ts';
import { findPostings, type Posting, type Term } from './postings.ts';

/** A page that was found; more of `score` is better. */
export type RankedPage = { space: string; page: string; score: number };

/**
 * The pages of these spaces that hold all of some terms, or any of them, the best first.
 *
 * A page's score is what its terms weigh in it, and a term counts for more the fewer pages have it, as in BM25; a longer word than the one that was
 * begun counts for less than the word itself. Of equal ones the id decides, so that the order is the same each time.
 *
 * @param terms  each with other forms that are as good
 * @param isShown  whether somebody sees a page with these conditions
 */
export async function rankPages(
  state: SearchedSpaces,
  {
    terms,
    mustHold,
    isShown,
  }: { terms: readonly (readonly Term[])[]; mustHold: 'all' | 'any'; isShown: (conditions: readonly string[]) => boolean },
): Promise<RankedPage[]> {
  const all = await Promise.all(terms.map(async (forms) => mergeForms(await Promise.all(forms.map((term) => findPostings(state, term))))));
  const counted = all.map((everywhere) => {
    const found = new Map(everywhere.entries().map(([space, postings]) => [space, withoutHidden(postings, isShown)]));
    return { found, pages: found.values().reduce((sum, postings) => sum + postings.length, 0) };
  });
  // The rarest first: only what holds it can hold all.
  counted.sort((a, b) => a.pages - b.pages);
  const ranked: RankedPage[] = [];
  for (const { _id: space } of state.spaces) {
    const scores = new Map<string, { score: number; terms: number }>();
    for (const [index, { found, pages }] of counted.entries()) {
      const rarity = Math.log(1 + (state.pages - pages + 0.5) / (pages + 0.5));
      for (const { page, weight, isWhole } of found.get(space) ?? []) {
        const known = scores.get(page);
        if (mustHold === 'all' && (known?.terms ?? 0) !== index) continue;
        const score = Math.max(0.01, rarity) * weight * (isWhole ? 1 : 0.7);
        if (known) {
          known.score += score;
          known.terms += 1;
        } else scores.set(page, { score, terms: 1 });
      }
    }
    for (const [page, { score, terms: held }] of scores)
      if (mustHold === 'any' || held === terms.length) ranked.push({ space, page, score: Math.round(score) / 100 });
  }
  return ranked.sort(byRank);
}

function byRank(a: RankedPage, b: RankedPage): number {
  return b.score - a.score || compareText(a.page, b.page) || compareText(a.space, b.space);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Pages that somebody does not see do not count for them either: not in the order of others, nor in how rare a term is. */
function withoutHidden(postings: readonly Posting[], isShown: (conditions: readonly string[]) => boolean): readonly Posting[] {
  // Hardly any page has conditions.
  if (postings.every(({ conditions }) => conditions === undefined)) return postings;
  return postings.filter(({ conditions }) => conditions === undefined || isShown(conditions));
}

/** Of several forms of a word in one page the heaviest counts. */
function mergeForms(forms: readonly Map<string, Posting[]>[]): Map<string, Posting[]> {
  const [first, ...others] = forms;
  if (first && others.length === 0) return first;
  const merged = new Map<string, Map<string, Posting>>();
  for (const found of forms) {
    for (const [space, postings] of found) {
      const pages = merged.get(space) ?? new Map<string, Posting>();
      merged.set(space, pages);
      for (const posting of postings) if ((pages.get(posting.page)?.weight ?? 0) < posting.weight) pages.set(posting.page, posting);
    }
  }
  return new Map([...merged].map(([space, pages]) => [space, [...pages.values()]]));
}
