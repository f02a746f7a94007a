import { Job, type Organization } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import type { Page } from '../../layout/page.ts';
import { jobsTable } from './jobsTable.ts';

const listed = 50;
const states = Job.shape.state.options.map((state) => [state, state.replace('_', ' ')] as const);

export const jobsRoutes: readonly Route[] = [page('/organizations/:organization/jobs', jobsPage)];

/** The jobs of an organization, by state and kind. */
async function jobsPage({ api, params, query }: Visit): Promise<Page> {
  const id = params['organization'] ?? '';
  // An empty field of the form is no filter.
  const filter = { state: query.get('state') || undefined, kind: query.get('kind')?.trim() || undefined };
  const [organization, { items, next }] = await Promise.all([
    api.get<Organization>(apiPath`/orgs/${id}`),
    api.get<ListPage<Job>>(
      apiPath`/orgs/${id}/jobs${{ ...filter, limit: listed, page: query.get('page') ?? undefined }}`,
    ),
  ]);
  const older = next && new URLSearchParams({ ...stated(filter), page: next.page }).toString();
  return {
    title: 'Jobs',
    above: [{ name: organization.title, path: `/organizations/${id}` }],
    main: html`${filterForm(filter)}
${jobsTable(items)}
${older !== undefined && html`<p><a href="/organizations/${id}/jobs?${older}">Older jobs</a></p>`}`,
  };
}

type Filter = { state: string | undefined; kind: string | undefined };

function filterForm({ state = '', kind = '' }: Filter): Html {
  return html`<form method="get">${choiceField({ name: 'state', label: 'State' }, { options: [['', 'All'], ...states], value: state })}
${textField({ name: 'kind', label: 'Kind', hint: 'Such as git-import. Empty for all.' }, { value: kind })}
<button>Filter</button></form>`;
}

function stated(filter: Filter): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}
