import type { DocumentTree } from '@bindery/contract';
import { hasTagText, withoutConditional } from '@bindery/dialect';
import { parseOnThread } from './parseOnThread.ts';

/**
 * A parsed text as visitors may have it: without what stands in conditional blocks that the parser did not understand, because nobody can decide whom
 * they are for. The blocks that it did understand are still there.
 *
 * @param tree  what the text was parsed to
 * @returns undefined when reading it took too long
 */
export async function parseForVisitors(markdown: string, tree: DocumentTree, organization: string): Promise<DocumentTree | undefined> {
  return hasTagText(tree) ? parseOnThread(withoutConditional(markdown), organization) : tree;
}
