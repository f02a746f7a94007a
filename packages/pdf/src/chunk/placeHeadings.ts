import type { ChunkHeading } from '../messages.ts';
import type { OutlineItem } from './pages.ts';

/** Where a heading is; `element` only for one whose text is drawn. */
export type HeadingPlace = Omit<OutlineItem, 'title'>;

/**
 * Finds the place of each heading. Chromium's outline leaves out those of which it draws no text: a formula
 * that is only a space or a rule, or what stands beyond the edge of its sheet. Such a heading is where the
 * one before it is, so that one odd heading does not fail the pages of others.
 *
 * @param items       at most one for each heading, in their order
 * @param firstPage   the number of the chunk's first page
 */
export function placeHeadings(
  headings: readonly ChunkHeading[],
  items: readonly OutlineItem[],
  firstPage: number,
): HeadingPlace[] {
  let next = 0;
  let last: HeadingPlace = { page: firstPage, x: 0, y: topOfSheet, element: undefined };
  return headings.map(({ title }, index) => {
    const item = items[next];
    const isLeftOut = headings.length - index > items.length - next;
    if (!item || (isLeftOut && lettersOf(item.title) !== lettersOf(title)))
      return { ...last, element: undefined };
    next += 1;
    last = item;
    return item;
  });
}

/** Above all sheets: viewers show the top of the page. */
const topOfSheet = 14_400;

/** The outline has other spaces than the HTML, and formulas other signs. */
function lettersOf(text: string): string {
  return text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
}
