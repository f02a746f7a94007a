import { DocumentTree, emptyDocument } from '@bindery/contract';
import { resolveDocument, withSafeReferences } from '@bindery/dialect';
import type { PageContent } from '@bindery/dialect/openapi';
import { parseOnThread } from '../parser-threads/parseOnThread.ts';

/**
 * Makes the document of a page of a specification: the author's own document, if it is one, else the
 * Markdown; then the blocks. All its references are URLs.
 *
 * @returns undefined when the Markdown takes too long to parse
 */
export async function specPageDocument(
  { markdown, document, blocks }: PageContent,
  organization: string,
): Promise<DocumentTree | undefined> {
  const own = document === undefined ? undefined : DocumentTree.safeParse(document);
  const text = own?.success ? withSafeReferences(own.data) : await parseText(markdown, organization);
  return text && { ...emptyDocument, nodes: [...text.nodes, ...blocks] };
}

async function parseText(markdown: string, organization: string): Promise<DocumentTree | undefined> {
  const tree = await parseOnThread(markdown, organization);
  return tree && resolveDocument(tree, (url) => ({ kind: 'url', url }));
}
