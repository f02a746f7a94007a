import { parseDocument } from '@bindery/dialect';

/** Longer blocks are told by their texts alone. */
const maxLength = 100_000;

/** The key that a block of Markdown has in the document of its page; undefined for nothing. Of blocks that are equal it is that of the first. */
export function blockKeyOf(markdown: string): string | undefined {
  return markdown.length > maxLength ? undefined : parseDocument(markdown).nodes[0]?.key;
}
