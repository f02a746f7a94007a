import type { DocumentTree } from '@bindery/contract';
import { parseDocument } from './parseDocument.ts';
import { resolveDocument } from './resolveDocument.ts';

/** Markdown that belongs to no page, such as a comment, as a document tree: whatever it refers to is a URL. Safe for any text. */
export function markdownToDocument(markdown: string): DocumentTree {
  return resolveDocument(parseDocument(markdown), (url) => ({ kind: 'url', url }));
}
