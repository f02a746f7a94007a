import type { Part } from '../text/parts.ts';

/** Where a text stands: the only context that a translation depends on. */
export const segmentRoles = ['title', 'heading', 'text', 'cell', 'caption', 'label'] as const;
export type SegmentRole = (typeof segmentRoles)[number];

/** A range of the page's text, from its start to before its end. */
export type Range = { start: number; end: number };

/** The source of a placeholder; `text` replaces what stands in the range. */
export type Slice = Range & { text?: string };

export type Marker = 'strong' | 'emphasis' | 'delete';

/** The ends of an atom that is formatted text without a letter, such as a bold number. */
export type Formatted = { open: Slice; close: Slice; marker: Marker };

/** The placeholder of a number: what the page has there. */
export type Placeholder =
  | { kind: 'pair'; open: Slice; close: Slice; marker?: Marker }
  | { kind: 'atom'; slice: Slice; isAddress?: true; isBreak?: true; formatted?: Formatted };

/** How a text is written at its place. */
export type SegmentForm =
  | 'markdown'
  | 'cell'
  | 'heading'
  | 'alt'
  | 'linkTitle'
  | 'html'
  | 'htmlAttribute'
  | 'tagAttribute'
  | 'frontmatter';

/** Where the content of a heading ends. */
export type HeadingEnd = { at: number; isHtml: boolean };

/** Texts to insert into a page, by their position, in order. None is inside of a segment. */
export type Insertions = ReadonlyMap<number, string>;

/** One run of text of a page. */
export type Segment = {
  role: SegmentRole;
  form: SegmentForm;
  /** The text with its placeholders, as `textOfParts` writes it. */
  text: string;
  parts: Part[];
  /** By number; the first has the number 1. */
  placeholders: Placeholder[];
  /** The range that a translation replaces; empty for a value of frontmatter. */
  range: Range;
  /** The key of a value of frontmatter. */
  key?: 'title' | 'description';
};
