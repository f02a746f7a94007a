/** A heading of a piece, as the merging writer needs it. */
export type PieceHeading = { id: string; level: number; title: string; anchors?: string[] };

/** A picture: the path that Chromium asks for, and the hash, size and media type of its file. */
export type Picture = { path: string; blob: string; sizeBytes: number; type: string };

/** A part of a rendered page that is printed in one chunk. */
export type Piece = {
  html: string;
  headings: PieceHeading[];
  /** The pictures that it shows. */
  pictures: Picture[];
  hasMath: boolean;
  /** Positions in `html` where it may be cut. */
  cuts: readonly number[];
};

/** The heading elements in HTML that the renderer wrote: `<` stands escaped in text and attributes. */
const headingTag = /<h[1-6][\s>]/g;

/**
 * Cuts a rendered page into pieces of at most `maxBytes`, as few as possible, where its second-level headings
 * begin. A part between two cuts that is larger stays whole.
 */
export function cutPage<Page extends Piece>(page: Page, maxBytes: number): Page[] {
  const { html, cuts, headings } = page;
  if (Buffer.byteLength(html) <= maxBytes || cuts.length === 0 || !areCounted(html, headings)) return [page];
  const pieces: Page[] = [];
  let start = 0;
  let headingsBefore = 0;
  const add = (end: number) => {
    const part = html.slice(start, end);
    const count = countHeadings(part);
    pieces.push({
      ...page,
      html: part,
      headings: headings.slice(headingsBefore, headingsBefore + count),
      pictures: page.pictures.filter(({ path }) => part.includes(path)),
      cuts: cuts.filter((cut) => cut > start && cut < end).map((cut) => cut - start),
    });
    headingsBefore += count;
    start = end;
  };
  const ends = [...cuts, html.length];
  for (const [index, end] of ends.entries()) {
    const next = ends[index + 1];
    const isLast = next === undefined;
    if (isLast || Buffer.byteLength(html.slice(start, next)) > maxBytes) add(end);
  }
  return pieces;
}

function areCounted(html: string, headings: readonly unknown[]): boolean {
  return countHeadings(html) === headings.length;
}

function countHeadings(html: string): number {
  return html.match(headingTag)?.length ?? 0;
}
