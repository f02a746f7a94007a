import { wordsOf } from './words.ts';

/** The searchable parts of a page. */
export type SearchableText = {
  title: string;
  description?: string | undefined;
  sections: readonly { title: string; text: string }[];
};

/** A page with more words is not a text; its lightest words are not indexed. */
export const maxWords = 4_000;

/**
 * Lists the words of a page with their weights, in the form of the index: `word 123`, the heaviest first.
 *
 * A word in the title outweighs any in a heading, and one in a heading (or the description) any in the text,
 * by separate ranges: 600 to 1399, 200 to 399, and up to 99. Inside a range it is BM25 with a fixed average
 * length: a word weighs more the more often it occurs and the shorter the text; in a title, the fewer other
 * words it has. So weights depend only on the page.
 */
export function weighWords({ title, description = '', sections }: SearchableText): string[] {
  const inTitle = count([title]);
  const inHeadings = count([description, ...sections.map((section) => section.title)]);
  const inText = count(sections.map(({ text }) => text));
  const weights: [word: string, weight: number][] = [];
  for (const word of new Set([
    ...inTitle.shares.keys(),
    ...inHeadings.shares.keys(),
    ...inText.shares.keys(),
  ])) {
    const titleShare = inTitle.shares.get(word) ?? 0;
    const headingShare = inHeadings.shares.get(word) ?? 0;
    const textShare = inText.shares.get(word) ?? 0;
    const weight =
      (titleShare >= wholeWord ? 600 + 400 / inTitle.total : 0) +
      (headingShare >= wholeWord
        ? 200 + 100 * saturation(headingShare, inHeadings.total / averageHeadings)
        : 0) +
      // A part of an identifier in a heading weighs no more than one in the text.
      99 *
        saturation(
          textShare +
            (titleShare < wholeWord ? titleShare : 0) +
            (headingShare < wholeWord ? headingShare : 0),
          inText.total / averageText,
        );
    weights.push([word, Math.max(1, Math.round(weight))]);
  }
  weights.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return weights.slice(0, maxWords).map(([word, weight]) => `${word} ${weight}`);
}

const wholeWord = 0.8;
const averageHeadings = 20;
const averageText = 400;

/** Approaches 1 with each occurrence, more slowly in a longer text. */
function saturation(share: number, relativeLength: number): number {
  return share / (share + 1.2 * (0.25 + 0.75 * relativeLength));
}

function count(texts: readonly string[]): { shares: Map<string, number>; total: number } {
  const shares = new Map<string, number>();
  let total = 0;
  for (const text of texts) {
    for (const { text: word, share } of wordsOf(text)) {
      shares.set(word, (shares.get(word) ?? 0) + share);
      total += share;
    }
  }
  return { shares, total: Math.max(1, total) };
}
