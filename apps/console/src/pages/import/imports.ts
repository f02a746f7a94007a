import { importRunStatuses, type ImportRun } from '@bindery/contract';
import { html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { orMissing } from '../../api/orMissing.ts';
import type { Tried } from '../../http/apiForm.ts';
import type { Visit } from '../../http/route.ts';
import { choiceField } from '../../layout/field.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { searchForm } from '../../layout/searchForm.ts';
import { mayUse } from '../../session/mayUse.ts';
import { loadContent, type Content } from '../content.ts';
import { jobLink } from '../links.ts';
import { belowTitle, loadOrganization, organizationPath } from '../organization/frame.ts';
import { importForms } from './startImport.ts';

const listed = 25;
const statuses = [
  ['', 'All'],
  ...[...importRunStatuses].map((status) => [status, status.replace('-', ' ')] as const),
] as const;

/** The imports into a content, and the forms that start one. */
export async function importsPage(visit: Visit, tried?: Tried): Promise<Page> {
  const content = await loadContent(visit);
  const { space, changeRequest } = content;
  // A token for single spaces does not reach the list, which is one of the organization.
  const runs = await orMissing(
    listOf(visit, { organization: space.organization, space: space.id, changeRequest: changeRequest?.id }),
  );
  return {
    title: 'Imports',
    above: content.above,
    main: html`${runs && runsTable(runs.items)}
${runs && furtherLink(runs, { path: `${content.path}/imports`, query: visit.query, text: 'Older imports' })}
${refusalOf(content, visit) ?? importForms(visit, { content, tried, reachesOrganization: runs !== undefined })}`,
  };
}

/** The reason why nothing can be imported. */
function refusalOf({ space, changeRequest }: Content, { session }: Visit): Html | undefined {
  if (!space.permissions.edit || !mayUse(session, 'jobs')) return html`<p>You may not import here.</p>`;
  if (changeRequest?.status === 'merged')
    return html`<p>This change request is merged. Create another one to import into it.</p>`;
  return space.editMode === 'locked' && !changeRequest
    ? html`<p>This space is edited with change requests only: import into one of them.</p>`
    : undefined;
}

/** The imports of an organization, by status. */
export async function organizationImports(visit: Visit): Promise<Page> {
  const organization = await loadOrganization(visit);
  // An empty field of the form is no filter.
  const status = visit.query.get('status') || undefined;
  const path = `${organizationPath(organization)}/imports`;
  const runs = await listOf(visit, { organization: organization.id, status });
  return {
    title: 'Imports',
    above: belowTitle(organization),
    main: html`${searchForm(path, {
      fields: choiceField({ name: 'status', label: 'Status' }, { options: statuses, value: status ?? '' }),
      button: 'Filter',
    })}
${runsTable(runs.items)}
${furtherLink(runs, { path, query: visit.query, text: 'Older imports' })}`,
  };
}

type Filter = {
  space?: string;
  changeRequest?: string | undefined;
  status?: string | undefined;
};

async function listOf(
  { api, query }: Visit,
  { organization, ...filter }: Filter & { organization: string },
): Promise<ListPage<ImportRun>> {
  const after = placeIn(query);
  return api.get(apiPath`/org/${organization}/imports${{ ...filter, limit: listed, page: after }}`);
}

function runsTable(runs: readonly ImportRun[]): Html {
  return table<ImportRun>(
    { id: 'imports', caption: 'Newest first. Times are UTC.', none: 'There are none.' },
    [
      { name: 'Import', cell: ({ id, source }) => jobLink(id, nameOf(source)) },
      {
        name: 'Status',
        cell: ({ status, reason }) => html`${status}${reason !== undefined && `: ${reason}`}`,
      },
      { name: 'Pages', isNumber: true, cell: ({ pages }) => pages?.length },
      { name: 'Into', cell: targetOf },
      { name: 'Started', cell: ({ createdAt }) => moment(new Date(createdAt)) },
    ],
    runs,
  );
}

function nameOf(source: ImportRun['source']): string {
  if (!source) return 'A document or an archive';
  if (source.type === 'website') return source.url;
  const [first = '', ...others] = source.files.map(nameOfFile);
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** Keys of uploaded files end in their names. */
function nameOfFile(key: string): string {
  return key.slice(key.indexOf('-') + 1);
}

function targetOf({ target: { space, changeRequest } }: ImportRun): Value {
  return changeRequest === undefined
    ? html`<a href="/spaces/${space}">space<span class="hidden"> ${space}</span></a>`
    : html`<a href="/spaces/${space}/change-requests/${changeRequest}">change request<span class="hidden"> ${changeRequest}</span></a>`;
}
