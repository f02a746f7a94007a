import type { ContentDifferences, Page as ContentPage, Revision, Space } from '@bindery/contract';
import { facts, html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { page, type Route, type Visit } from '../../http/route.ts';
import type { Crumb, Page } from '../../layout/page.ts';
import { showChanges } from '../change-request/showChanges.ts';
import { orMissing } from '../../api/orMissing.ts';
import { changeRequestLink } from '../links.ts';
import { revertForm } from './revertPage.ts';
import { belowSpace, loadSpace } from './space.ts';

const [revisionsShown, changesShown] = [10, 200];

export const historyRoutes: readonly Route[] = [
  page('/spaces/:space/history', spaceHistory),
  page('/spaces/:space/pages/:page/history', pageHistory),
  page('/spaces/:space/revisions/:revision', revisionPage),
  page('/spaces/:space/revisions/:revision/pages/:page', pageOfRevision),
];

/**
 * The revisions of the main content from one on, the newest first. The API has no list of them; each names
 * its predecessor.
 */
async function revisionsFrom({ api }: Visit, { space, from }: { space: string; from?: string }) {
  const revisions: Revision[] = [];
  let next = from;
  do {
    const path =
      next === undefined
        ? apiPath`/spaces/${space}/content${{ metadata: 'false' }}`
        : apiPath`/spaces/${space}/revisions/${next}${{ metadata: 'false' }}`;
    // A revision may have been removed with the end of its retention.
    const revision = await orMissing(api.get<Revision>(path));
    next = revision?.parents[0];
    if (revision) revisions.push(revision);
  } while (next !== undefined && revisions.length < revisionsShown);
  return { revisions, older: next };
}

async function spaceHistory(visit: Visit): Promise<Page> {
  const space = await loadSpace(visit);
  const from = visit.query.get('from') ?? undefined;
  const { revisions, older } = await revisionsFrom(visit, { space: space.id, ...(from && { from }) });
  return {
    title: 'History',
    above: belowSpace(space),
    main: html`${revisionTable(revisions, space)}
${older !== undefined && html`<p><a href="/spaces/${space.id}/history?from=${encodeURIComponent(older)}">Older revisions</a></p>`}`,
  };
}

function revisionTable(revisions: readonly Revision[], { id, revision: current }: Space): Html {
  return table<Revision>(
    { id: 'revisions', caption: 'Newest first. Times are UTC.', none: 'There are none.' },
    [
      { name: 'Revision', cell: (one) => revisionLink(one, id) },
      { name: 'Cause', cell: causeOf },
      { name: 'By', cell: ({ mergedFrom }) => mergedFrom?.createdBy.displayName },
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

function revisionLink({ id, createdAt }: Revision, space: string): Html {
  return html`<a href="/spaces/${space}/revisions/${id}">${moment(new Date(createdAt))}</a>`;
}

const causes: Record<Revision['type'], string> = {
  edits: 'Edited',
  merge: 'Merged',
  rollback: 'Rolled back',
  update: 'Updated',
  computed: 'Computed',
};

function causeOf({ type, mergedFrom, git }: Revision): Value {
  if (mergedFrom) return html`${causes[type]} ${changeRequestLink(mergedFrom)}`;
  if (git)
    return html`${causes[type]} with git: ${git.message.split('\n', 1)[0]} <code>${git.oid.slice(0, 10)}</code>`;
  return causes[type];
}

/** The revisions that changed a page. */
async function pageHistory(visit: Visit): Promise<Page> {
  const space = await loadSpace(visit);
  const { page: id = '' } = visit.params;
  const from = visit.query.get('from') ?? undefined;
  const { revisions, older } = await revisionsFrom(visit, { space: space.id, ...(from && { from }) });
  const versions = revisions.map((revision) => ({ revision, page: findPage(revision.pages, id) }));
  const changes = versions.filter(({ page: now }, index) => {
    const before = versions[index + 1];
    // The last one is compared on the next page of the list.
    return before ? stateOf(now) !== stateOf(before.page) : older === undefined && now !== undefined;
  });
  const title = versions.find(({ page: now }) => now)?.page?.title ?? 'Page';
  return {
    title: `History of ${title}`,
    above: [...belowSpace(space), { name: title, path: `/spaces/${space.id}/pages/${id}` }],
    main: html`${table<(typeof changes)[number]>(
      { id: 'changes', caption: 'Newest first. Times are UTC.', none: 'None of these revisions changed it.' },
      [
        {
          name: 'Revision',
          cell: ({ revision }) =>
            html`<a href="/spaces/${space.id}/revisions/${revision.id}/pages/${id}">${moment(new Date(revision.createdAt))}</a>`,
        },
        { name: 'Cause', cell: ({ revision }) => causeOf(revision) },
        { name: 'By', cell: ({ revision }) => revision.mergedFrom?.createdBy.displayName },
        {
          name: 'Compare',
          cell: ({ revision: { id: after, parents } }) => {
            const [before] = parents;
            return html`${before !== undefined && html`<a href="/spaces/${space.id}/compare/${before}/${after}/pages/${id}">with the one before<span class="hidden">: ${after}</span></a>`}
${after !== space.revision && html`<a href="/spaces/${space.id}/compare/${after}/${space.revision}/pages/${id}">with the current one<span class="hidden">: ${after}</span></a>`}`;
          },
        },
      ],
      changes,
    )}
${older !== undefined && html`<p><a href="/spaces/${space.id}/pages/${id}/history?from=${encodeURIComponent(older)}">Older revisions</a></p>`}`,
  };
}

function findPage(pages: readonly ContentPage[], id: string): ContentPage | undefined {
  for (const each of pages) {
    const found = each.id === id ? each : 'pages' in each && findPage(each.pages, id);
    if (found) return found;
  }
  return undefined;
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
  const { api, params } = visit;
  const space = await loadSpace(visit);
  const { revision: id = '' } = params;
  const path = apiPath`/spaces/${space.id}/revisions/${id}`;
  const [revision, differences] = await Promise.all([
    api.get<Revision>(`${path}?metadata=false`),
    api.get<ContentDifferences>(`${path}/changes?limit=${changesShown}&metadata=false`),
  ]);
  const [before] = revision.parents;
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
${pagesOf(revision.pages, `/spaces/${space.id}/revisions/${id}/pages`)}`,
  };
}

function historyOf({ id }: Space): Crumb {
  return { name: 'History', path: `/spaces/${id}/history` };
}

function pagesOf(pages: readonly ContentPage[], base: string): Html {
  return html`<ul class="tree">${pages.map((one) => {
    const url = `${base}/${one.id}`;
    return html`<li>${one.type === 'document' ? html`<a href="${url}">${one.title}</a>` : one.title}${'pages' in one && one.pages.length > 0 && pagesOf(one.pages, base)}</li>`;
  })}</ul>`;
}

/** A page as it was in a revision. */
async function pageOfRevision(visit: Visit): Promise<Page> {
  const { api, params } = visit;
  const { revision = '', page: id = '' } = params;
  const space = await loadSpace(visit);
  const shown = await api.get<ContentPage>(
    apiPath`/spaces/${space.id}/revisions/${revision}/page/${id}${{ format: 'markdown' }}`,
  );
  const markdown = shown.type === 'document' ? (shown.markdown ?? '') : '';
  return {
    title: shown.title,
    above: [
      ...belowSpace(space),
      historyOf(space),
      { name: 'Revision', path: `/spaces/${space.id}/revisions/${revision}` },
    ],
    main: html`<p><a href="/spaces/${space.id}/compare/${revision}/${space.revision}/pages/${id}">Compare with the current one</a></p>
<pre tabindex="0" role="region" aria-label="Markdown of the page">${markdown}</pre>
${await revertForm(visit, space)}`,
  };
}
