import type { FoundPage } from '../store/tree.ts';
import { takeTurns } from '../takeTurns.ts';
import { foldText } from './excerpt.ts';
import type { ComputedPages, Posting, StoredPage, Term } from './indexParts.ts';
import { weighWords } from './weigh.ts';

/** A page with its text. */
export type PageToSearch = FoundPage & { sections: readonly { title: string; text: string }[] };

/** Longer texts of a page are not searched. */
const maxText = 20_000;

/** Prepares the computed pages of a space. */
export async function prepareComputed(space: string, given: Iterable<PageToSearch>): Promise<ComputedPages> {
  const pages = new Map<string, StoredPage>();
  const postings = new Map<string, { page: string; weight: number }[]>();
  let size = 0;
  const turn = takeTurns();
  for (const { page, ancestors, sections: all } of given) {
    if (page.type !== 'document') continue;
    const { id, title, path, description } = page;
    const sections = all.map((section) => ({
      ...section,
      text: section.text.slice(0, maxText).toWellFormed(),
    }));
    pages.set(id, {
      _id: `${space}:${id}`,
      space,
      page: id,
      title,
      path,
      description,
      ancestors: ancestors.map((above) => above.title),
      audience: 'everybody',
      sections: sections.map((each) => ({ id: '', title: foldText(each.title), body: foldText(each.text) })),
    });
    for (const entry of weighWords({ title, description, sections })) {
      const end = entry.lastIndexOf(' ');
      const word = entry.slice(0, end);
      const own = postings.get(word) ?? [];
      own.push({ page: id, weight: Number(entry.slice(end + 1)) });
      postings.set(word, own);
      size += 1;
    }
    await turn();
  }
  return { pages, postings, size };
}

/** The pages that contain a term, each with its heaviest word. */
export function computedPostings({ postings }: ComputedPages, { text, isPrefix }: Term): Posting[] {
  const words = isPrefix ? postings.keys().filter((word) => word.startsWith(text)) : [text];
  const best = new Map<string, Posting>();
  for (const word of words)
    for (const { page, weight } of postings.get(word) ?? [])
      if ((best.get(page)?.weight ?? 0) < weight)
        best.set(page, { page, weight, isWhole: word === text, audience: 'everybody' });
  return [...best.values()];
}
