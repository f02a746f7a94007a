import type { DocumentBlock, DocumentTree, Page as ContentPage } from '@bindery/contract';
import { diffDocuments } from '@bindery/document-diff';
import { facts, html, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { ApiFailure } from '../../api/apiFailure.ts';
import { orMissing } from '../../api/orMissing.ts';
import type { Visit } from '../../http/route.ts';
import { fileUrl } from '../revisionFile.ts';
import { showDocumentDiff } from './showDocumentDiff.ts';

/** Two revisions of a space. */
export type Compared = { space: string; before: string; after: string };

/** A page of two revisions: its title, and what differs. */
export type PageComparison = { title: string; main: Html };

/**
 * Compares a page of two revisions, inline or (`?view=sides`) side by side.
 *
 * @throws ApiFailure when neither revision has the page
 */
export async function comparePage(
  { api, query }: Pick<Visit, 'api' | 'query'>,
  { revisions, page, aside }: { revisions: Compared; page: string; aside?: (block: DocumentBlock) => Value },
): Promise<PageComparison> {
  const { space, before, after } = revisions;
  const [old, now] = await Promise.all(
    [before, after].map(async (revision) =>
      sideOf(api, apiPath`/spaces/${space}/revisions/${revision}/page/${page}`),
    ),
  );
  if (!old && !now) throw ApiFailure.of(404, { error: { message: 'Neither revision has this page.' } });
  const isSideBySide = query.get('view') === 'sides';
  const pictures = (revision: string) => (ref: unknown) => {
    const file = typeof ref === 'object' && ref !== null && 'file' in ref ? ref.file : undefined;
    return typeof file === 'string' ? fileUrl({ space, revision }, file) : undefined;
  };
  return {
    title: now?.page.title ?? old?.page.title ?? '',
    main: html`${facts(factsOf(old?.page, now?.page))}
<p>${isSideBySide ? html`<a href="?">Show it in one column</a>` : html`<a href="?view=sides">Show it side by side</a>`}</p>
<div class="diff">${showDocumentDiff(diffDocuments(old?.document, now?.document), {
      isSideBySide,
      pictures: { before: pictures(before), after: pictures(after) },
      aside,
    })}</div>`,
  };
}

type SideOfPage = { page: ContentPage; document?: DocumentTree };

/** A page of one revision; undefined when the revision does not have it. */
async function sideOf(api: Visit['api'], path: string): Promise<SideOfPage | undefined> {
  const page = await orMissing(api.get<ContentPage>(`${path}?format=document`));
  if (!page) return undefined;
  return page.type === 'document' && page.document ? { page, document: page.document } : { page };
}

function factsOf(old: ContentPage | undefined, now: ContentPage | undefined): [string, Value][] {
  if (!old) return [['Page', 'new']];
  if (!now) return [['Page', 'deleted']];
  const fields = ['title', 'path', 'description', 'emoji', 'icon', 'hidden'] as const;
  const [was, is] = [fieldsOf(old), fieldsOf(now)];
  return fields
    .filter((name) => was[name] !== is[name])
    .map((name) => [name, html`<del>${was[name]}</del> <ins>${is[name]}</ins>`]);
}

function fieldsOf(
  page: ContentPage,
): Record<'title' | 'path' | 'description' | 'emoji' | 'icon' | 'hidden', string> {
  const { title, emoji = '', icon = '' } = page;
  return {
    title,
    emoji,
    icon,
    path: 'path' in page ? page.path : '',
    description: page.type === 'document' ? (page.description ?? '') : '',
    hidden: 'hidden' in page ? String(page.hidden) : '',
  };
}
