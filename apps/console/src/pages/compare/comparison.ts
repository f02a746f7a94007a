import type { ChangeRequest, Page as ContentPage } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { page, type Route, type Visit } from '../../http/route.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { nameOfChangeRequest } from '../links.ts';
import { belowSpace, loadSpace } from '../space/space.ts';
import { comparePage } from './comparePage.ts';

const changesListed = 500;

export const comparisonRoutes: readonly Route[] = [
  page('/spaces/:space/compare/:before/:after', comparison),
  page('/spaces/:space/compare/:before/:after/pages/:page', pageComparison),
  page('/spaces/:space/change-requests/:number/changes/:page', changeOfRequest),
];

/** The revision that the changes of a change request start from. */
function baseOf({ revisionMergedAncestor, revisionInitial }: ChangeRequest): string {
  return revisionMergedAncestor ?? revisionInitial;
}

/** The pages that differ between two revisions. */
async function comparison(visit: Visit): Promise<Page> {
  const { before = '', after = '' } = visit.params;
  const space = await loadSpace(visit);
  const [old, now] = await Promise.all([before, after].map(async (id) => pagesOf(visit, id)));
  const changes = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].flatMap((id) =>
    entryOf(old?.get(id), now?.get(id)),
  );
  const base = `/spaces/${space.id}/compare/${before}/${after}/pages`;
  return {
    title: 'Compare two revisions',
    above: [...belowSpace(space), { name: 'History', path: `/spaces/${space.id}/history` }],
    main: html`${changes.length === 0 && html`<p>Their pages do not differ.</p>`}
<ul>${changes.slice(0, changesListed).map(({ id, title, what }) => {
      const url = `${base}/${id}`;
      return html`<li>${what} page: <a href="${url}">${title}</a></li>`;
    })}</ul>
${changes.length > changesListed && html`<p>And ${changes.length - changesListed} more.</p>`}`,
  };
}

type Listed = { id: string; title: string; text: string; place: string };

async function pagesOf({ api, params }: Visit, revision: string): Promise<Map<string, Listed>> {
  const { space = '' } = params;
  const { pages } = await api.get<{ pages: ContentPage[] }>(
    apiPath`/spaces/${space}/revisions/${revision}/pages${{ metadata: 'false' }}`,
  );
  const listed = new Map<string, Listed>();
  const walk = (all: readonly ContentPage[], parent: string) => {
    for (const each of all) {
      const { id, title } = each;
      const document = each.type === 'document' ? (each.documentId ?? '') : '';
      listed.set(id, {
        id,
        title,
        text: `${title}\n${document}`,
        place: 'path' in each ? each.path : parent,
      });
      if ('pages' in each) walk(each.pages, id);
    }
  };
  walk(pages, '');
  return listed;
}

function entryOf(
  old: Listed | undefined,
  now: Listed | undefined,
): { id: string; title: string; what: string }[] {
  const { id = '', title = '' } = now ?? old ?? {};
  if (!old) return [{ id, title, what: 'New' }];
  if (!now) return [{ id, title, what: 'Deleted' }];
  if (old.text !== now.text) return [{ id, title, what: 'Changed' }];
  return old.place === now.place ? [] : [{ id, title, what: 'Moved' }];
}

async function pageComparison(visit: Visit): Promise<Page> {
  const { before = '', after = '', page: id = '' } = visit.params;
  const space = await loadSpace(visit);
  const { title, main } = await comparePage(visit, {
    revisions: { space: space.id, before, after },
    page: id,
  });
  return {
    title,
    above: [
      ...belowSpace(space),
      { name: 'History', path: `/spaces/${space.id}/history` },
      { name: 'Comparison', path: `/spaces/${space.id}/compare/${before}/${after}` },
    ],
    main,
  };
}

/** The changes of a page in a change request. */
async function changeOfRequest(visit: Visit): Promise<Page> {
  const { number = '', page: id = '' } = visit.params;
  const space = await loadSpace(visit);
  const changeRequest = await visit.api.get<ChangeRequest>(
    apiPath`/spaces/${space.id}/change-requests/${number}`,
  );
  const revisions = { space: space.id, before: baseOf(changeRequest), after: changeRequest.revision };
  const place = `/spaces/${space.id}/change-requests/${changeRequest.number}`;
  const canComment = space.permissions.comment && mayUse(visit.session, 'write');
  const { title, main } = await comparePage(visit, {
    revisions,
    page: id,
    aside: ({ key }): Value => {
      if (key === undefined || !canComment) return '';
      const url = `${place}/comments?${new URLSearchParams({ page: id, node: key }).toString()}`;
      return html` <a class="aside" href="${url}">Comment<span class="hidden"> on this block</span></a>`;
    },
  });
  const read = `${place}/read/${id}`;
  return {
    title,
    above: [...belowSpace(space), { name: nameOfChangeRequest(changeRequest), path: place }],
    main: html`<p><a href="${read}">Show it as a page</a></p>${main}`,
  };
}
