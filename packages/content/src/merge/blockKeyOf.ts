import { parseDocument } from '@bindery/dialect';

/** Longer blocks are identified by their texts alone. */
const maxLength = 100_000;

/**
 * Returns the key of a Markdown block in its page's document; undefined for no block. For equal blocks it is
 * the key of the first.
 */
export function blockKeyOf(markdown: string): string | undefined {
  return markdown.length > maxLength ? undefined : parseDocument(markdown).nodes[0]?.key;
}
