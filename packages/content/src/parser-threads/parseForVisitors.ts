import type { DocumentTree } from '@bindery/contract';
import { hasTagText, withoutConditional } from '@bindery/dialect';
import { parseOnThread } from './parseOnThread.ts';

/**
 * Reduces a parsed text to the parts that visitors may receive: without conditional blocks that the parser
 * did not understand, because nobody can decide who may see them. Conditional blocks that it understood stay.
 *
 * @param tree  the parsed text
 * @returns undefined when that took too long
 */
export async function parseForVisitors(
  markdown: string,
  tree: DocumentTree,
  organization: string,
): Promise<DocumentTree | undefined> {
  return hasTagText(tree) ? parseOnThread(withoutConditional(markdown), organization) : tree;
}
