import type { DocumentBlock } from '@bindery/contract';
import type { Attributes } from '../../syntax/attributes.ts';
import type { Element } from '../../syntax/elements.ts';
import { blocksOf, type ParseContext } from '../../tree/parseContext.ts';

const read = new Map([
  ['left', 'start'],
  ['center', 'center'],
  ['right', 'end'],
  ['start', 'start'],
  ['end', 'end'],
]);
const written = new Map<unknown, string>([
  ['start', 'left'],
  ['center', 'center'],
  ['end', 'right'],
]);

/** Reads the attribute `align` of an element. */
export function alignIn(attributes: Attributes): string | undefined {
  return read.get(attributes.get('align') ?? '');
}

/** Reads the content of an element, and aligns its paragraphs by the element's attribute. */
export function readAligned({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  const align = alignIn(attributes);
  const blocks = blocksOf(children, context);
  return align === undefined
    ? blocks
    : blocks.map((each) => (each.type === 'paragraph' ? { ...each, data: { align } } : each));
}

/** Returns the class of rendered HTML for an alignment; none for the usual one. */
export function alignClass(align: unknown): string | undefined {
  return align === 'center' || align === 'end' ? align : undefined;
}

/** Returns the attribute `align` for an alignment. */
export function alignOf(align: unknown): string | undefined {
  return written.get(align);
}
