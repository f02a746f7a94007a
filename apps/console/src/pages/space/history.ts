import type {
  ContentDifferences,
  Page as ContentPage,
  Revision,
  RevisionSummary,
  Space,
} from '@bindery/contract';
import { facts, html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Crumb, Page } from '../../layout/page.ts';
import { showPage } from '../../rendering/showPage.ts';
import { showChanges } from '../change-request/showChanges.ts';
import { orMissing } from '../../api/orMissing.ts';
import { changeRequestLink } from '../links.ts';
import { pageTree } from '../pageTree.ts';
import { revertForm } from './revertPage.ts';
import { belowSpace, loadSpace } from './space.ts';

const [revisionsShown, changesShown] = [20, 200];

export const historyRoutes: readonly Route[] = [
  page('/spaces/:space/history', spaceHistory),
  page('/spaces/:space/pages/:page/history', pageHistory),
  page('/spaces/:space/revisions/:revision', revisionPage),
  page('/spaces/:space/revisions/:revision/pages/:page', pageOfRevision),
];

/** The revisions of the main content from a place in their list on, the newest first. */
async function loadRevisions({ api, query }: Visit, space: string): Promise<ListPage<RevisionSummary>> {
  return api.get(
    withQuery(apiPath`/spaces/${space}/revisions`, {
      limit: revisionsShown,
      page: placeIn(query),
    }),
  );
}

async function spaceHistory(visit: Visit): Promise<Page> {
  const space = await loadSpace(visit);
  const revisions = await loadRevisions(visit, space.id);
  const path = `/spaces/${space.id}/history`;
  return {
    title: 'History',
    above: belowSpace(space),
    main: html`${revisionTable(revisions.items, space)}
${furtherLink(revisions, { path, query: visit.query, text: 'Older revisions' })}`,
  };
}

function revisionTable(revisions: readonly RevisionSummary[], { id, revision: current }: Space): Html {
  return table<RevisionSummary>(
    { id: 'revisions', caption: 'Newest first. Times are UTC.', none: 'There are none.' },
    [
      { name: 'Revision', cell: (one) => revisionLink(one, id) },
      { name: 'Cause', cell: causeOf },
      { name: 'By', cell: ({ createdBy }) => createdBy.displayName },
      {
        name: 'Compare',
        cell: (one) =>
          one.id !== current &&
          html`<a href="/spaces/${id}/compare/${one.id}/${current}">with the current one<span class="hidden">: ${one.id}</span></a>`,
      },
    ],
    revisions,
  );
}

function revisionLink({ id, createdAt }: RevisionSummary, space: string): Html {
  return html`<a href="/spaces/${space}/revisions/${id}">${moment(new Date(createdAt))}</a>`;
}

const causes: Record<Revision['type'], string> = {
  edits: 'Edited',
  merge: 'Merged',
  rollback: 'Rolled back',
  update: 'Updated',
  computed: 'Computed',
};

function causeOf({ type, mergedFrom, git }: Revision | RevisionSummary): Value {
  if (mergedFrom) return html`${causes[type]} ${changeRequestLink(mergedFrom)}`;
  if (git)
    return html`${causes[type]} with git: ${git.message.split('\n', 1)[0]} <code>${git.oid.slice(0, 10)}</code>`;
  return causes[type];
}

/** The revisions that changed a page. */
async function pageHistory(visit: Visit): Promise<Page> {
  const space = await loadSpace(visit);
  const { page: id = '' } = visit.params;
  const revisions = await loadRevisions(visit, space.id);
  // The last one is compared with the one that the next page of the list begins with.
  const before = revisions.items.at(-1)?.parents[0];
  const ids = [...revisions.items.map((one) => one.id), ...(before === undefined ? [] : [before])];
  const pages = await Promise.all(
    ids.map(async (revision) => findPageIn(visit, { space: space.id, revision, id })),
  );
  const changes = revisions.items.filter((_, index) => stateOf(pages[index]) !== stateOf(pages[index + 1]));
  const title = pages.find((one) => one)?.title ?? 'Page';
  const path = `/spaces/${space.id}/pages/${id}`;
  return {
    title: `History of ${title}`,
    above: [...belowSpace(space), { name: title, path }],
    main: html`${table<RevisionSummary>(
      { id: 'changes', caption: 'Newest first. Times are UTC.', none: 'None of these revisions changed it.' },
      [
        {
          name: 'Revision',
          cell: (one) =>
            html`<a href="/spaces/${space.id}/revisions/${one.id}/pages/${id}">${moment(new Date(one.createdAt))}</a>`,
        },
        { name: 'Cause', cell: causeOf },
        { name: 'By', cell: ({ createdBy }) => createdBy.displayName },
        {
          name: 'Compare',
          cell: ({ id: after, parents: [base] }) =>
            html`${base !== undefined && html`<a href="/spaces/${space.id}/compare/${base}/${after}/pages/${id}">with the one before<span class="hidden">: ${after}</span></a>`}
${after !== space.revision && html`<a href="/spaces/${space.id}/compare/${after}/${space.revision}/pages/${id}">with the current one<span class="hidden">: ${after}</span></a>`}`,
        },
      ],
      changes,
    )}
${furtherLink(revisions, { path: `${path}/history`, query: visit.query, text: 'Older revisions' })}`,
  };
}

/** A page as it was in a revision; undefined where it was not. */
async function findPageIn(
  { api }: Visit,
  { space, revision, id }: { space: string; revision: string; id: string },
): Promise<ContentPage | undefined> {
  return orMissing(
    api.get(apiPath`/spaces/${space}/revisions/${revision}/page/${id}${{ metadata: 'false' }}`),
  );
}

/** The fields of a page that count as its changes: text, title, place and visibility. */
function stateOf(one: ContentPage | undefined): string {
  if (!one) return '';
  const { title, emoji, icon } = one;
  const place = 'path' in one ? [one.path, one.hidden] : [];
  const text = one.type === 'document' ? [one.documentId, one.description] : [];
  return JSON.stringify([title, emoji, icon, ...place, ...text]);
}

async function revisionPage(visit: Visit): Promise<Page> {
  const { api, params, query } = visit;
  const space = await loadSpace(visit);
  const { revision: id = '' } = params;
  const path = apiPath`/spaces/${space.id}/revisions/${id}`;
  const [revision, differences] = await Promise.all([
    api.get<Revision>(`${path}?metadata=false`),
    api.get<ContentDifferences>(`${path}/changes?limit=${changesShown}&metadata=false`),
  ]);
  const [before] = revision.parents;
  const place = `/spaces/${space.id}/revisions/${id}`;
  const base = before === undefined ? undefined : `/spaces/${space.id}/compare/${before}/${id}/pages`;
  return {
    title: `Revision of ${revision.createdAt.slice(0, 16).replace('T', ' ')}`,
    above: [...belowSpace(space), historyOf(space)],
    main: html`${facts([
      ['Cause', causeOf(revision)],
      ['By', revision.mergedFrom?.createdBy.displayName],
      ['Created', moment(new Date(revision.createdAt))],
      [
        'Current',
        id === space.revision
          ? 'yes'
          : html`no, <a href="/spaces/${space.id}/compare/${id}/${space.revision}">compare with the current one</a>`,
      ],
    ])}
<h2>Changes</h2>
${showChanges(differences, base)}
<h2>Pages</h2>
${pageTree(revision.pages, { path: place, query, nameOf: (one) => nameOf(one, `${place}/pages`) })}`,
  };
}

function historyOf({ id }: Space): Crumb {
  return { name: 'History', path: `/spaces/${id}/history` };
}

function nameOf(one: ContentPage, base: string): Value {
  const url = `${base}/${one.id}`;
  return one.type === 'document' ? html`<a href="${url}">${one.title}</a>` : one.title;
}

/** A page as it was in a revision. */
async function pageOfRevision(visit: Visit): Promise<Page> {
  const { revision = '', page: id = '' } = visit.params;
  const space = await loadSpace(visit);
  const base = `/spaces/${space.id}/revisions/${revision}`;
  const comparison = `/spaces/${space.id}/compare/${revision}/${space.revision}/pages/${id}`;
  const shown = await showPage(visit, {
    space,
    revision,
    base: `${base}/pages`,
    links: html`<a href="${comparison}">Compare with the current one</a>`,
  });
  return {
    ...shown,
    above: [...belowSpace(space), historyOf(space), { name: 'Revision', path: base }],
    main: html`${shown.main}${await revertForm(visit, space)}`,
  };
}
