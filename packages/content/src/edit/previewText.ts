import { writePageOnThread } from '../parser-threads/pagesOnThread.ts';
import { findDocument, markdownOf } from '../store/documents.ts';
import type { DocumentPage } from '../store/items.ts';
import { fieldsIn } from './composePage.ts';

/** A page with another text: its Markdown with the title, without frontmatter, and what its head shows. */
type PreviewedText = Pick<DocumentPage, 'title' | 'emoji' | 'description'> & { markdown: string };

/**
 * Reads a text as a change would give it to a page, without storing it.
 *
 * @returns `problem`, the rest of a sentence, when the text cannot be read; undefined when it takes too long
 */
export async function previewText(
  page: DocumentPage,
  { markdown, organization }: { markdown: string; organization: string },
): Promise<PreviewedText | { problem: string } | undefined> {
  const source = page.document === undefined ? undefined : await findDocument(organization, page.document);
  const written = await writePageOnThread(
    { given: {}, markdown, page: fieldsIn(page), source },
    organization,
  );
  if (!written || 'problem' in written) return written;
  const { title, said, keys } = written;
  const named = (name: 'emoji' | 'description') => (keys.has(name) ? said[name] : page[name]);
  return {
    title,
    emoji: named('emoji'),
    description: named('description'),
    markdown: markdownOf(written.source),
  };
}
