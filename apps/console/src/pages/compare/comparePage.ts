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
 * Compares a page of two revisions, inline or (`?view=sides`) side by side. A long comparison has several
 * pages; `?from=` is the place where one begins.
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
  const steps = diffDocuments(old?.document, now?.document);
  const from = placeOf(query.get('from'), steps.length);
  const pictures = (revision: string) => (ref: unknown) => {
    const file = typeof ref === 'object' && ref !== null && 'file' in ref ? ref.file : undefined;
    return typeof file === 'string' ? fileUrl({ space, revision }, file) : undefined;
  };
  const { shown, next } = showDocumentDiff(steps, {
    isSideBySide,
    from,
    pictures: { before: pictures(before), after: pictures(after) },
    aside,
  });
  const other = addressOf({ isSideBySide: !isSideBySide, from });
  const start = addressOf({ isSideBySide, from: 0 });
  const further = addressOf({ isSideBySide, from: next ?? 0 });
  return {
    title: now?.page.title ?? old?.page.title ?? '',
    main: html`${facts(factsOf(old?.page, now?.page))}
<p><a href="${other}">${isSideBySide ? 'Show it in one column' : 'Show it side by side'}</a></p>
${from > 0 && html`<p><a href="${start}">To the beginning</a></p>`}
<div class="diff">${shown}</div>
${next !== undefined && html`<p><a href="${further}">Further changes</a></p>`}`,
  };
}

/** The place in a comparison that a query names; its beginning when it has no such place. */
function placeOf(given: string | null, steps: number): number {
  const place = Number(given);
  return Number.isInteger(place) && place > 0 && place < steps ? place : 0;
}

/** The query of a part of this comparison. */
function addressOf({ isSideBySide, from }: { isSideBySide: boolean; from: number }): string {
  const query = new URLSearchParams({
    ...(isSideBySide && { view: 'sides' }),
    ...(from > 0 && { from: String(from) }),
  });
  return `?${query.toString()}`;
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
