import { targetOf, type PageTree, documentToMarkdownOnThread, rewriteTargetsOnThread } from '@bindery/content';
import type { ContentReference, LinkUse } from '@bindery/dialect/links';
import type { PageQuery } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import type { Reader } from '../../../http/actor.ts';
import { markdownOfPage, tooLongToRead } from './markdownOfPage.ts';
import { readDocument } from './readDocument.ts';
import { brokenReference } from '../shown/brokenReference.ts';
import { contextOf, loadReferences, resolverFor, type ReadReferences } from '../shown/references.ts';

type Reading = { revision: RevisionRecord; reader: Reader; query: PageQuery };

/**
 * The body of a page, as it is stored but for targets that are named another way than the caller wants: `/pages/ID` becomes the path that leads
 * there, or with `stable` the other way round.
 *
 * Where something is to be left out or put in, the Markdown is written anew from the document.
 */
export async function readMarkdown(page: Extract<PageTree, { type: 'document' }>, { revision, reader, query }: Reading): Promise<string> {
  const markdown = await markdownOfPage(revision, page);
  const form = query['format.markdown.refs'];
  const isChanged = leavesOutOrPutsIn(markdown, { reader, query });
  const references =
    isChanged || reader.visitor || form === 'stable' || namesIds(markdown) ? await loadReferences(revision, reader) : undefined;
  if (!references || (!isChanged && form === 'relative' && !namesIds(markdown) && !references.whole)) return markdown;

  const { organization } = revision;
  if (!isChanged) return inTime(await rewriteTargetsOnThread(markdown, rewriting(references, { page, form }), organization));
  const context = contextOf(references, { page });
  const document = await readDocument({ page }, { revision, reader, query });
  const body = await documentToMarkdownOnThread(document, organization, (ref) => targetOf(ref as ContentReference, form, context));
  return `# ${page.title}\n\n${inTime(body)}`;
}

/** Whether the Markdown of a page is not what is stored with other targets, but made from its document. */
export async function isWrittenAnew(page: Extract<PageTree, { type: 'document' }>, { revision, ...asked }: Reading): Promise<boolean> {
  return leavesOutOrPutsIn(await markdownOfPage(revision, page), asked);
}

function leavesOutOrPutsIn(markdown: string, { query, reader }: Omit<Reading, 'revision'>): boolean {
  // To visitors nothing is shown in the place of a content that is not there.
  if ((query.dereferenced !== 'false' || reader.visitor !== undefined) && /\{%\s*include\b/.test(markdown)) return true;
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

/** Whether targets such as `/pages/ID` may stand in a text. */
function namesIds(text: string): boolean {
  return /\/(?:pages|files|reusable-contents)\//.test(text);
}

/** Whether what a text says may depend on who reads it. */
function isConditional(markdown: string): boolean {
  return /\{%-?\s*(?:if|endif)\b|class=["']expression["']/.test(markdown);
}
