import {
  createResolver,
  loadReferenceContext,
  targetOf,
  type ContentReference,
  type LinkUse,
  type PageTree,
  type ReferenceContext,
  documentToMarkdown,
  rewriteTargets,
} from '@bindery/content';
import type { PageQuery } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import type { Reader } from '../../http/actor.ts';
import { markdownOfPage } from './markdownOfPage.ts';
import { contextOf, readDocument } from './readDocument.ts';

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
  const isChanged =
    (query.dereferenced !== 'false' && /\{%\s*include\b/.test(markdown)) ||
    ((query.evaluated !== 'false' || reader.visitor) && isConditional(markdown));
  if (!isChanged && form === 'relative' && !namesIds(markdown)) return markdown;

  const context = contextOf(await loadReferenceContext(revision), { page });
  if (!isChanged) return rewriteTargets(markdown, rewriting(context, form));
  const document = await readDocument({ page }, { revision, reader, query });
  return `# ${page.title}\n\n${documentToMarkdown(document, (ref) => targetOf(ref as ContentReference, form, context))}`;
}

function rewriting(context: ReferenceContext, form: 'relative' | 'stable'): (target: string, use: LinkUse) => string | undefined {
  const resolve = createResolver(context);
  return (target, use) => {
    if (form === 'relative' && !namesIds(target)) return undefined;
    const ref = resolve(target, use);
    return ref && ref.kind !== 'url' ? targetOf(ref, form, context) : undefined;
  };
}

/** Whether targets such as `/pages/ID` may stand in a text. */
function namesIds(text: string): boolean {
  return /\/(?:pages|files|reusable-contents)\//.test(text);
}

/** Whether what a text says may depend on who reads it. */
function isConditional(markdown: string): boolean {
  return /\{%\s*if\b|class=["']expression["']/.test(markdown);
}
