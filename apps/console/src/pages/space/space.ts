import type { ChangeRequest, GitSync, Job, Page as ContentPage, Space } from '@bindery/contract';
import { facts, html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Crumb, Page } from '../../layout/page.ts';
import { showPage } from '../../rendering/showPage.ts';
import { mayUse } from '../../session/mayUse.ts';
import { changeRequestLink, nameOfSpace } from '../links.ts';
import { jobsTable } from '../job/jobsTable.ts';
import { pageTree } from '../pageTree.ts';

const [changeRequestsShown, jobsShown] = [20, 5];
const statuses = ['open', 'draft', 'merged', 'archived'] as const;

export const spaceRoutes: readonly Route[] = [
  page('/spaces/:space', spacePage),
  page('/spaces/:space/pages/:page', contentPage),
  page('/spaces/:space/change-requests', changeRequestList),
  page('/spaces/:space/jobs', spaceJobs),
];

/** Loads the space of a path. @throws ApiFailure */
export async function loadSpace({ api, params }: Visit): Promise<Space> {
  return api.get<Space>(apiPath`/spaces/${params['space'] ?? ''}`);
}

/** The pages above one that belongs to an organization, such as a space. */
export function belowOrganization({ organization }: { organization: string }): Crumb[] {
  return [{ name: 'Organization', path: `/organizations/${organization}` }];
}

/** The pages above one that belongs to a space. */
export function belowSpace(space: Space): Crumb[] {
  return [...belowOrganization(space), { name: nameOfSpace(space), path: `/spaces/${space.id}` }];
}

async function spacePage(visit: Visit): Promise<Page> {
  const { api, query, session } = visit;
  const space = await loadSpace(visit);
  const { id, organization, permissions, gitSync } = space;
  const translations = withQuery(`/organizations/${organization}/translations`, { space: id });
  const [{ pages }, unmerged, jobs] = await Promise.all([
    api.get<{ pages: ContentPage[] }>(apiPath`/spaces/${id}/content/pages${{ metadata: 'false' }}`),
    Promise.all((['open', 'draft'] as const).map(async (status) => changeRequestsOf(visit, { id, status }))),
    api.get<ListPage<Job>>(apiPath`/orgs/${organization}/jobs${{ subject: id, limit: jobsShown }}`),
  ]);
  return {
    title: nameOfSpace(space),
    above: belowOrganization(space),
    main: html`${facts([
      ['Visibility', space.visibility],
      ['Editing', space.editMode === 'locked' ? 'with change requests only' : 'also without change requests'],
      ['Updated', moment(new Date(space.updatedAt))],
    ])}
${permissions.admin && html`<p><a class="button" href="/spaces/${id}/settings">Settings</a></p>`}
<h2>Pages</h2>
${pageTree(pages, { path: `/spaces/${id}`, query, nameOf: (one) => nameOf(one, id) })}
<p><a href="/spaces/${id}/history">History</a> <a href="/spaces/${id}/files">Files</a> <a href="/spaces/${id}/imports">Imports</a> <a href="${translations}">Translations</a> ${mayUse(session, 'jobs') && html`<a href="/spaces/${id}/pdf">PDF</a>`}</p>
<h2>Change requests</h2>
${changeRequestTable(unmerged.flatMap(({ items }) => items))}
<p>${statuses.map((status) => html`<a href="/spaces/${id}/change-requests?status=${status}">All ${status}</a> `)}</p>
${permissions.edit && mayUse(session, 'write') && html`<p><a class="button" href="/spaces/${id}/new-change-request">Create a change request</a></p>`}
<h2>Git sync</h2>
${gitState(gitSync)}
${permissions.triggerGitSync && mayUse(session, 'jobs') && html`<p><a class="button" href="/spaces/${id}/git">Import or export</a></p>`}
<h2>Last jobs</h2>
${jobsTable(jobs.items)}
<p><a href="/spaces/${id}/jobs">All jobs of this space</a></p>`,
  };
}

function nameOf(one: ContentPage, space: string): Value {
  if (one.type === 'document')
    return html`<a href="/spaces/${space}/pages/${one.id}">${one.title}</a>${one.hidden && html` <span class="soft">(hidden)</span>`}`;
  if (one.type === 'group') return html`<strong>${one.title}</strong>`;
  if (one.type === 'link') return html`${one.title} <span class="soft">(link)</span>`;
  return html`${one.title} <span class="soft">(${one.type})</span>`;
}

async function changeRequestsOf(
  { api }: Visit,
  { id, status, after }: { id: string; status: ChangeRequest['status']; after?: string | undefined },
): Promise<ListPage<ChangeRequest>> {
  const query = { status, orderBy: 'updatedAt', limit: changeRequestsShown, page: after };
  return api.get(apiPath`/spaces/${id}/change-requests${query}`);
}

/** The change requests of one status. */
async function changeRequestList(visit: Visit): Promise<Page> {
  const given = visit.query.get('status');
  const status = statuses.find((one) => one === given) ?? 'open';
  const space = await loadSpace(visit);
  const list = await changeRequestsOf(visit, {
    id: space.id,
    status,
    after: placeIn(visit.query),
  });
  return {
    title: `Change requests: ${status}`,
    above: belowSpace(space),
    main: html`${changeRequestTable(list.items)}
${furtherLink(list, { path: `/spaces/${space.id}/change-requests`, query: visit.query, text: 'Further ones' })}`,
  };
}

function changeRequestTable(items: readonly ChangeRequest[]): Html {
  return table<ChangeRequest>(
    { id: 'change-requests', caption: 'Last updated first', none: 'There are none.' },
    [
      { name: 'Change request', cell: changeRequestLink },
      { name: 'Status', cell: ({ status }) => status },
      { name: 'By', cell: ({ createdBy }) => createdBy.displayName },
      { name: 'Updated', cell: ({ updatedAt }) => moment(new Date(updatedAt)) },
    ],
    items,
  );
}

function gitState(sync: GitSync | undefined): Html {
  if (!sync) return html`<p>It was not synchronized with a repository yet.</p>`;
  const { operation } = sync;
  return facts([
    ['Repository', sync.repoName ?? sync.url],
    ['Last sync', operation && `${operation.direction}: ${operation.state}`],
    ['Ended', operation?.endedAt !== undefined && moment(new Date(operation.endedAt))],
    ['Error', operation?.error !== undefined && html`<span class="bad">${operation.error}</span>`],
  ]);
}

/** A page of the main content. */
async function contentPage(visit: Visit): Promise<Page> {
  const space = await loadSpace(visit);
  const base = `/spaces/${space.id}/pages`;
  const history = `${base}/${visit.params['page']}/history`;
  const shown = await showPage(visit, {
    space,
    revision: space.revision,
    base,
    links: html`<a href="${history}">History of this page</a>`,
  });
  return { ...shown, above: belowSpace(space) };
}

async function spaceJobs(visit: Visit): Promise<Page> {
  const { api, query } = visit;
  const space = await loadSpace(visit);
  const after = placeIn(query);
  const jobs = await api.get<ListPage<Job>>(
    apiPath`/orgs/${space.organization}/jobs${{ subject: space.id, limit: 50, page: after }}`,
  );
  return {
    title: 'Jobs',
    above: belowSpace(space),
    main: html`${jobsTable(jobs.items)}
${furtherLink(jobs, { path: `/spaces/${space.id}/jobs`, query, text: 'Older jobs' })}`,
  };
}
