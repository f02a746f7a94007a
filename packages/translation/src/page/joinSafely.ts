import { joinPage } from './joinPage.ts';
import { headingMarks, keptAnchors, type PageTitles } from './keepAnchors.ts';
import { pageFacts, shapeDifferences } from './pageShape.ts';
import type { Insertions } from './segment.ts';
import { bodyOf, type SegmentedPage } from './segmentPage.ts';

/** A joined page, and the indexes of segments that keep their source because they would change its shape. */
export type SafelyJoined = { file: Uint8Array; refused: number[] };

/**
 * Writes translations into a page's file like `joinPage`, and compares the shapes of both pages. If they
 * differ, finds the translations that are to blame, and keeps the sources of their segments.
 *
 * Parses the page once for its shape, if it was cut without, and once for the result; for each refused
 * segment, about twice the logarithm of the number of segments more. Anchors cost two parses more, but only
 * where the shapes differ.
 *
 * @param translations  by index of the segment; a segment without one keeps its source
 * @param titles        lets each heading have the anchor of its source, which is written where it would
 *   differ; without titles, anchors follow from the translations
 */
export function joinSafely(
  page: SegmentedPage,
  translations: ReadonlyMap<number, string>,
  titles?: PageTitles,
): SafelyJoined {
  const { shape, headings } = page.shape ? page : pageFacts(page.body);
  const join = (indexes: ReadonlySet<number>, insertions?: Insertions) =>
    joinPage(page, (_, index) => (indexes.has(index) ? translations.get(index) : undefined), insertions);
  /** Reads the joined page; undefined if it has another shape. */
  const read = (indexes: ReadonlySet<number>, insertions?: Insertions) => {
    const file = join(indexes, insertions);
    const body = bodyOf(file) ?? '';
    const facts = pageFacts(body);
    return shapeDifferences(shape, facts.shape).length === 0 ? { file, body, ...facts } : undefined;
  };

  let accepted: ReadonlySet<number> = new Set();
  let { file } = page;
  const refused: number[] = [];
  const accept = (indexes: readonly number[]) => {
    const tried = new Set([...accepted, ...indexes]);
    const joined = read(tried);
    if (joined) {
      accepted = tried;
      file = joined.file;
    } else if (indexes.length === 1) refused.push(...indexes);
    else {
      const middle = indexes.length >> 1;
      accept(indexes.slice(0, middle));
      accept(indexes.slice(middle));
    }
  };
  const indexes = [...translations.keys()].toSorted((one, other) => one - other);
  if (indexes.length === 0) return { file, refused };
  const marks = titles && page.headingEnds.length > 0 ? headingMarks(page.headingEnds) : undefined;
  let marked = marks && read(new Set(indexes), marks);
  if (marked) accepted = new Set(indexes);
  else {
    accept(indexes);
    marked = marks && read(accepted, marks);
  }
  if (!marked) return { file, refused };
  const anchors = keptAnchors(page.headingEnds, {
    source: { body: page.body, title: titles?.source, headings },
    marked: { ...marked, title: titles?.result },
  });
  return { file: join(accepted, anchors), refused };
}
