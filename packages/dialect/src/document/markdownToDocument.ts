import type { DocumentTree } from '@bindery/contract';
import { parseDocument } from './parseDocument.ts';
import { resolveDocument } from './resolveDocument.ts';

/**
 * Parses Markdown outside of pages, such as a comment, to a document tree whose references are all URLs. Safe
 * for any text.
 */
export function markdownToDocument(markdown: string): DocumentTree {
  return resolveDocument(parseDocument(markdown), (url) => ({ kind: 'url', url }));
}
