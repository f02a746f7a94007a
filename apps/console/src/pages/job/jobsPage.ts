import { Job, type Organization } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import { choiceField, textField } from '../../layout/field.ts';
import type { Page } from '../../layout/page.ts';
import { searchForm } from '../../layout/searchForm.ts';
import { jobsTable } from './jobsTable.ts';

const listed = 50;
const states = Job.shape.state.options.map((state) => [state, state.replace('_', ' ')] as const);

export const jobsRoutes: readonly Route[] = [page('/organizations/:organization/jobs', jobsPage)];

/** The jobs of an organization, by state and kind. */
async function jobsPage({ api, params, query }: Visit): Promise<Page> {
  const id = params['organization'] ?? '';
  // An empty field of the form is no filter.
  const filter = { state: query.get('state') || undefined, kind: query.get('kind')?.trim() || undefined };
  const path = `/organizations/${id}/jobs`;
  const [organization, jobs] = await Promise.all([
    api.get<Organization>(apiPath`/orgs/${id}`),
    api.get<ListPage<Job>>(apiPath`/orgs/${id}/jobs${{ ...filter, limit: listed, page: placeIn(query) }}`),
  ]);
  return {
    title: 'Jobs',
    above: [{ name: organization.title, path: `/organizations/${id}` }],
    main: html`${filterForm(path, filter)}
${jobsTable(jobs.items)}
${furtherLink(jobs, { path, query, text: 'Older jobs' })}`,
  };
}

type Filter = { state: string | undefined; kind: string | undefined };

function filterForm(path: string, { state = '', kind = '' }: Filter): Html {
  return searchForm(path, {
    fields: html`${choiceField({ name: 'state', label: 'State' }, { options: [['', 'All'], ...states], value: state })}
${textField({ name: 'kind', label: 'Kind', hint: 'Such as git-import. Empty for all.' }, { value: kind })}`,
    button: 'Filter',
  });
}
