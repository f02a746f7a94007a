import type { DocumentTree } from '@bindery/contract';
import { parseDocument } from '@bindery/dialect';
import { isQuickToParse } from './isQuick.ts';
import { runOnThread } from './parserThreads.ts';

/**
 * Parses as `parseDocument` does, but on another thread if that may take long: what makes some texts slow to read keeps nobody else waiting. For
 * processes that answer requests or hold leases.
 *
 * @param organization  whose text it is
 * @returns undefined for a text that took too long or too much memory
 */
export async function parseOnThread(markdown: string, organization: string): Promise<DocumentTree | undefined> {
  return isQuickToParse(markdown)
    ? parseDocument(markdown)
    : runOnThread('parseDocument', markdown, { organization, characters: markdown.length });
}
