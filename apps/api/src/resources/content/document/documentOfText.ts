import { parseOnThread } from '@bindery/content';
import { resolveDocument } from '@bindery/dialect';
import type { DocumentTree } from '@bindery/contract';
import { asSource } from './asSource.ts';

/**
 * Markdown that belongs to no page as a document tree: whatever it refers to is a URL. One that takes too
 * long to read is shown as its source.
 */
export async function documentOfText(markdown: string, organization: string): Promise<DocumentTree> {
  const tree = await parseOnThread(markdown, organization);
  return tree ? resolveDocument(tree, (url) => ({ kind: 'url', url })) : asSource(markdown);
}
