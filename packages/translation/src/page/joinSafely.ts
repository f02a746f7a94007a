import { joinPage } from './joinPage.ts';
import { pageShape, shapeDifferences } from './pageShape.ts';
import { bodyOf, type SegmentedPage } from './segmentPage.ts';

/** A joined page, and the indexes of segments that keep their source because they would change its shape. */
export type SafelyJoined = { file: Uint8Array; refused: number[] };

/**
 * Writes translations into a page's file like `joinPage`, and compares the shapes of both pages. If they
 * differ, finds the translations that are to blame, and keeps the sources of their segments.
 *
 * Parses the page once for its shape, if it was cut without, and once for the result; for each refused
 * segment, about twice the logarithm of the number of segments more.
 *
 * @param translations  by index of the segment; a segment without one keeps its source
 */
export function joinSafely(page: SegmentedPage, translations: ReadonlyMap<number, string>): SafelyJoined {
  const shape = page.shape ?? pageShape(page.body);
  const join = (indexes: ReadonlySet<number>) =>
    joinPage(page, (_, index) => (indexes.has(index) ? translations.get(index) : undefined));
  const keepsShape = (file: Uint8Array) =>
    shapeDifferences(shape, pageShape(bodyOf(file) ?? '')).length === 0;

  let accepted: ReadonlySet<number> = new Set();
  let file = page.file;
  const refused: number[] = [];
  const accept = (indexes: readonly number[]) => {
    const tried = new Set([...accepted, ...indexes]);
    const joined = join(tried);
    if (keepsShape(joined)) {
      accepted = tried;
      file = joined;
    } else if (indexes.length === 1) refused.push(...indexes);
    else {
      const middle = indexes.length >> 1;
      accept(indexes.slice(0, middle));
      accept(indexes.slice(middle));
    }
  };
  const indexes = [...translations.keys()].toSorted((one, other) => one - other);
  if (indexes.length > 0) accept(indexes);
  return { file, refused };
}
