import {
  createResolver,
  findDocument,
  markdownOf,
  parseOnThread,
  type PageItem,
  type PageTree,
  type ReusableContentItem,
} from '@bindery/content';
import { emptyDocument, type DocumentTree } from '@bindery/contract';
import { inlineReusableContents, resolveDocument } from '@bindery/dialect';
import { withoutTitle } from '@bindery/dialect/syntax';
import type { BookContent } from './bookContent.ts';

/** The page or reusable content of a document. */
export type DocumentOwner = { page: PageTree } | { reusableContent: ReusableContentItem };

/**
 * Reads a document as a member sees it, with resolved references and its reusable contents. A PDF is shared
 * by all members who may read the space, so targets in other spaces are not looked up: their titles are not
 * for everybody.
 *
 * @returns undefined when the text takes too long to parse
 */
export async function readDocument(
  content: BookContent,
  owner: DocumentOwner,
): Promise<DocumentTree | undefined> {
  const computed = 'page' in owner ? content.documents.get(owner.page.id) : undefined;
  if (computed) return computed();
  const resolved = await resolveIn(content, owner);
  return (
    resolved &&
    inlineReusableContents(resolved, async ({ reusableContent: id, space }) => {
      const reusableContent =
        space === undefined ? content.references.reusableContents.find((each) => each.id === id) : undefined;
      return reusableContent && resolveIn(content, { reusableContent });
    })
  );
}

/** The Markdown of a document without the line of its title; empty for a page without content. */
export async function readMarkdown({ revision }: BookContent, owner: DocumentOwner): Promise<string> {
  const hash = documentOf(owner);
  if (hash === undefined) return '';
  const source = await findDocument(revision.organization, hash);
  if (!source) throw new Error(`The document ${hash} is missing.`);
  const markdown = markdownOf(source);
  return 'page' in owner ? withoutTitle(markdown, owner.page.title) : markdown;
}

function documentOf(owner: DocumentOwner): string | undefined {
  if ('reusableContent' in owner) return owner.reusableContent.document;
  return owner.page.type === 'document' ? owner.page.document : undefined;
}

async function resolveIn(content: BookContent, owner: DocumentOwner): Promise<DocumentTree | undefined> {
  const markdown = await readMarkdown(content, owner);
  if (markdown === '') return emptyDocument;
  const parsed = await parseOnThread(markdown, content.revision.organization);
  const from =
    'page' in owner ? { page: owner.page as PageItem } : { reusableContent: owner.reusableContent };
  const resolve = createResolver({ ...content.references, from });
  return parsed && resolveDocument(parsed, resolve, { missing: 'note' });
}
