import { sourceParser, type PlacedToken } from '@bindery/dialect/source';
import { segmentOf, type Boundary, type Piece } from './pieces.ts';
import type { HeadingEnd, Range, Segment, SegmentForm, SegmentRole } from './segment.ts';
import { textPieces } from './textPieces.ts';

type PlainText = {
  role: SegmentRole;
  form: SegmentForm;
  /** As readers see it. */
  value: string;
  range: Range;
  key?: Segment['key'];
};

/** Collects the segments and the headings of one page. */
export class PageCutter {
  readonly source: string;
  readonly segments: Segment[] = [];
  readonly headingEnds: HeadingEnd[] = [];
  readonly parse = sourceParser();
  #isHeadingOpen = false;

  constructor(source: string) {
    this.source = source;
  }

  /** Adds a segment, or several if it contains blocks. */
  add(pieces: readonly (Piece | Boundary)[], { role, form }: Pick<Segment, 'role' | 'form'>): void {
    let run: Piece[] = [];
    for (const piece of [...pieces, { kind: 'boundary' } as const]) {
      if (piece.kind !== 'boundary') run.push(piece);
      else {
        const segment = segmentOf(run, { role, form, source: this.source });
        if (segment) this.segments.push(segment);
        run = [];
      }
    }
  }

  /** Adds a text without markup, such as the value of an attribute. */
  addPlain({ role, form, value, range, key }: PlainText): void {
    const at = { start: range.start, end: range.start };
    const segment = segmentOf(textPieces(value, { slice: at }), { role, form, source: '' });
    if (segment) this.segments.push({ ...segment, range, key });
  }
  /** Notes the end of a heading of HTML. An `id` is its anchor already. */
  addHeadingTag(token: Exclude<PlacedToken, { kind: 'text' }>, at: number): void {
    if (!/^h[1-6]$/.test(token.name)) return;
    if (token.kind === 'close' && this.#isHeadingOpen) this.headingEnds.push({ at, isHtml: true });
    this.#isHeadingOpen = token.kind === 'open' && !token.attributes.has('id');
  }
}
