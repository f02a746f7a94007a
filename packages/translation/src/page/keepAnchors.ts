import { anchorsOf, type AnchoredHeading } from '@bindery/dialect';
import { anchorTag, maxAnchorLength, maxSource } from '@bindery/dialect/source';
import { withoutTitle } from '@bindery/dialect/syntax';
import type { HeadingEnd, Insertions } from './segment.ts';

/** The titles of a page: a level 1 heading that says the same is no heading of the page. */
export type PageTitles = { source?: string; result?: string };

/**
 * Marks the ends of headings for a parser. The document of the marked page then tells which of its headings
 * ends where: a heading has its mark as its anchor, unless another anchor is written in it.
 */
export function headingMarks(ends: readonly HeadingEnd[]): Insertions {
  return new Map(ends.map((end, index) => [end.at, inserted(`<a id="${mark}${index}"></a>`, end)]));
}

const mark = 'bindery-heading-';

/** A page, its title if readers do not see it in the text, and its headings. */
type Page = { body: string; title?: string | undefined; headings: readonly AnchoredHeading[] };

/**
 * Returns the anchors that a page has to get so that each heading has the anchor of its source. A heading
 * with a written anchor keeps it, and one whose anchor is that of its source gets none.
 *
 * @param ends    of the headings in the source
 * @param marked  the page with `headingMarks`; with as many headings as the source
 */
export function keptAnchors(
  ends: readonly HeadingEnd[],
  { source, marked }: { source: Page; marked: Page },
): Insertions {
  const [ofSource, ofMarked] = [titleLines(source), titleLines(marked)];
  const anchors = anchorsOf(source.headings.slice(ofSource));
  const headings = marked.headings.slice(ofMarked).map(({ words, written = '' }, index) => {
    // An anchor of the source may look like a mark.
    const isMark = written.startsWith(mark) && !source.headings[index + ofMarked]?.written;
    const end = isMark ? ends[Number(written.slice(mark.length))] : undefined;
    return { words, written: end ? '' : written, end, anchor: anchors[index + ofMarked - ofSource] };
  });
  const kept = new Map<HeadingEnd, string>();
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const before = kept.size;
    const found = anchorsOf(headings);
    for (const [index, heading] of headings.entries()) {
      const { end, anchor = '' } = heading;
      if (!end || heading.written || anchor === '' || anchor === found[index]) continue;
      if (anchor.length > maxAnchorLength) continue;
      heading.written = anchor;
      kept.set(end, inserted(anchorTag(anchor), end));
    }
    if (kept.size === before) break;
  }
  const length = kept.values().reduce((sum, tag) => sum + tag.length, marked.body.length);
  // Nobody would parse a longer page.
  if (length > maxSource) return new Map();
  return new Map(ends.flatMap((end) => (kept.has(end) ? [[end.at, kept.get(end) as string]] : [])));
}

/** A written anchor changes the number behind another one, which then has to be written too. */
const maxPasses = 10;

function inserted(tag: string, { isHtml }: HeadingEnd): string {
  return isHtml ? tag : ` ${tag}`;
}

/** The number of headings that readers do not see, because they say what the title does: 0 or 1. */
function titleLines({ body, title }: Page): number {
  return title !== undefined && withoutTitle(body, title) !== body ? 1 : 0;
}
