import { parseOnThread } from '@bindery/content';
import { resolveDocument } from '@bindery/dialect';
import type { DocumentTree } from '@bindery/contract';
import { asSource } from '@bindery/publishing';

/**
 * Parses Markdown that belongs to no page; all its references are URLs. A text that takes too long to parse
 * is shown as its source.
 */
export async function documentOfText(markdown: string, organization: string): Promise<DocumentTree> {
  const tree = await parseOnThread(markdown, organization);
  return tree ? resolveDocument(tree, (url) => ({ kind: 'url', url })) : asSource(markdown);
}
