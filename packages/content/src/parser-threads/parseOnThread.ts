import type { DocumentTree } from '@bindery/contract';
import { parseDocument } from '@bindery/dialect';
import { isQuickToParse } from './isQuick.ts';
import { runOnThread } from './parserThreads.ts';

/**
 * Runs `parseDocument`, on another thread if it may take long, so that slow texts block no other work. For
 * processes that answer requests or hold leases.
 *
 * @param organization  the owner of the text
 * @returns undefined when it took too long or too much memory
 */
export async function parseOnThread(
  markdown: string,
  organization: string,
): Promise<DocumentTree | undefined> {
  return isQuickToParse(markdown)
    ? parseDocument(markdown)
    : runOnThread('parseDocument', markdown, { organization, characters: markdown.length });
}
