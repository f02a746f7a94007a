import {
  targetOf,
  type PageTree,
  documentToMarkdownOnThread,
  rewriteTargetsOnThread,
} from '@bindery/content';
import type { ContentReference, LinkUse } from '@bindery/dialect/links';
import type { DocumentTree, PageQuery } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { brokenReference } from './brokenReference.ts';
import { contextOf, loadReferences, type ReadReferences, resolverFor } from './references.ts';
import type { ContentReader } from '../visitor/visitor.ts';
import type { AppLinks } from '../site/appLinks.ts';
import { tooLongToRead } from './markdownOfPage.ts';
import { readDocument } from './readDocument.ts';

type Reading = { links: AppLinks; revision: RevisionRecord; reader: ContentReader; query: PageQuery };
type Describe = (document: DocumentTree) => Promise<DocumentTree>;

/**
 * Changes the targets in the stored body of a page to the requested form: `/pages/ID` becomes the path of the
 * page, or with `stable` the reverse.
 *
 * @param markdown  the stored body, of `markdownOfPage`; with `isWrittenAnew`, the result is made from the
 *   document instead
 * @param reading.describe  replaces blocks that have no text of their own; then the result is made from the
 *   document, too
 */
export async function readMarkdown(
  page: Extract<PageTree, { type: 'document' }>,
  markdown: string,
  { links, revision, reader, query, describe }: Reading & { describe?: Describe },
): Promise<string> {
  const form = query['format.markdown.refs'];
  const isNew = describe !== undefined || isWrittenAnew(markdown, { reader, query });
  const references =
    isNew || reader.visitor || form === 'stable' || namesIds(markdown)
      ? await loadReferences(revision, { links, reader })
      : undefined;
  if (!references || (!isNew && form === 'relative' && !namesIds(markdown) && !references.whole))
    return markdown;

  const { organization } = revision;
  if (!isNew)
    return inTime(
      await rewriteTargetsOnThread(markdown, rewriting(references, { page, form }), organization),
    );
  const context = contextOf(references, { page });
  const document = await readDocument({ page }, { links, revision, reader, query });
  const described = describe ? await describe(document) : document;
  const body = await documentToMarkdownOnThread(described, organization, (ref) =>
    targetOf(ref as ContentReference, form, context),
  );
  return `# ${page.title}\n\n${inTime(body)}`;
}

/**
 * Whether the Markdown of a page is made from its document instead of the stored body, because blocks have to
 * be removed or included.
 */
export function isWrittenAnew(
  markdown: string,
  { query, reader }: Pick<Reading, 'query' | 'reader'>,
): boolean {
  // Visitors see nothing in place of missing content.
  if ((query.dereferenced !== 'false' || reader.visitor !== undefined) && /\{%\s*include\b/.test(markdown))
    return true;
  return (query.evaluated !== 'false' || reader.visitor !== undefined) && isConditional(markdown);
}

function inTime(markdown: string | undefined): string {
  if (markdown === undefined) throw tooLongToRead();
  return markdown;
}

function rewriting(
  references: ReadReferences,
  { page, form }: { page: PageTree; form: 'relative' | 'stable' },
): (target: string, use: LinkUse) => string | undefined {
  const context = contextOf(references, { page });
  const resolve = resolverFor(references, { page });
  return (target, use) => {
    if (form === 'relative' && !namesIds(target) && !references.whole) return undefined;
    const ref = resolve(target, use);
    if (ref?.kind === 'url' && ref.url === brokenReference) return brokenReference;
    if (form === 'relative' && !namesIds(target)) return undefined;
    return ref && ref.kind !== 'url' ? targetOf(ref, form, context) : undefined;
  };
}

/** Whether a text may contain targets such as `/pages/ID`. */
function namesIds(text: string): boolean {
  return /\/(?:pages|files|reusable-contents)\//.test(text);
}

/** Whether a text may contain conditions or expressions about its reader. */
function isConditional(markdown: string): boolean {
  return /\{%-?\s*(?:if|endif)\b|class=["']expression["']/.test(markdown);
}
