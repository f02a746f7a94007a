import type { Job, OpenAPISpec, OpenAPISpecVersion } from '@bindery/contract';
import { facts, html, moment, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import { hasEnded } from '../../layout/jobState.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { jobsTable } from '../job/jobsTable.ts';
import { jobLink } from '../links.ts';
import { inOrganization, loadOrganization } from '../organization/frame.ts';
import { compareForm } from './compareForm.ts';
import { belowSpecs, loadSpec, specApi, specPath, specPlace } from './frame.ts';
import { sourceFields, sourceForm, sourceIn } from './sourceFields.ts';
import { specError, specState } from './specState.ts';
import { versionTable } from './versionTable.ts';

const [versionsShown, jobsShown] = [20, 5];

const replace: ApiForm = {
  ...sourceForm,
  path: `${specPlace}/source`,
  request: (params, fields) => ({
    method: 'PUT',
    path: specApi(params),
    json: { source: sourceIn(fields) },
  }),
};

const update: ApiForm = {
  path: `${specPlace}/settings`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: specApi(params),
    json: {
      visibility: textIn(fields, 'visibility'),
      ...(fields.has('refreshMinutes') && { refreshMinutes: minutesIn(fields) }),
    },
  }),
  example: { visibility: 'public' },
};

const refresh: ApiForm = {
  path: `${specPlace}/refresh`,
  request: (params) => ({ method: 'POST', path: `${specApi(params)}/refresh` }),
};

const remove: ApiForm = {
  path: `${specPlace}/delete`,
  request: (params) => ({ method: 'DELETE', path: specApi(params) }),
  confirm: 'Delete the specification and all its versions',
};

export const specPageRoutes: readonly Route[] = [
  page(specPlace, specPage),
  ...[replace, update, refresh].map((form) =>
    formRoute(form, { next: ({ params }) => ({ location: specPath(params) }), again: specPage }),
  ),
  formRoute(remove, {
    next: ({ params }) => ({ location: `/organizations/${params['organization']}/openapi` }),
    again: specPage,
  }),
];

/** Null is the standard of the server; the API refuses what is no number. */
function minutesIn(fields: URLSearchParams): number | string | null {
  const text = textIn(fields, 'refreshMinutes') ?? null;
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

async function specPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params, query } = visit;
  const { organization: id = '' } = params;
  const [organization, spec] = await Promise.all([loadOrganization(visit), loadSpec(visit)]);
  const [versions, jobs] = await Promise.all([
    api.get<ListPage<OpenAPISpecVersion>>(
      withQuery(`${specApi(params)}/versions`, {
        limit: versionsShown,
        page: placeIn(query),
      }),
    ),
    api.get<ListPage<Job>>(apiPath`/orgs/${id}/jobs${{ subject: spec.id, limit: jobsShown }}`),
  ]);
  return inOrganization(organization, visit, {
    title: spec.slug,
    above: belowSpecs(organization),
    main: html`${specError(spec)}
${factsOf(spec, jobs.items)}
<h2>Versions</h2>
${versionTable(versions.items, { params, newest: spec.lastVersion })}
${furtherLink(versions, { path: specPath(params), query, text: 'Older versions' })}
${compareForm(versions.items, params)}
<h2>Jobs</h2>
<p>The newest ${jobsShown}.</p>
${jobsTable(jobs.items)}
${forms(visit, { spec, tried })}`,
  });
}

function factsOf(spec: OpenAPISpec, jobs: readonly Job[]): Html {
  const { sourceURL, visibility, lastProcessedAt, refresh: refreshed, urls } = spec;
  const running = jobs.find((job) => !hasEnded(job));
  return facts([
    ['State', specState(spec)],
    ['Job', running && jobLink(running.id, 'see how far it is')],
    ['Processed', lastProcessedAt !== undefined && moment(new Date(lastProcessedAt))],
    ['Source', sourceURL ?? 'a text or an archive'],
    ['Next fetch', refreshed?.nextAt !== undefined && moment(new Date(refreshed.nextAt))],
    ['Failing since', refreshed?.failingSince !== undefined && moment(new Date(refreshed.failingSince))],
    ['Visibility', visibility],
    ['For everyone', urls.published !== undefined && publicLinks(urls)],
  ]);
}

function publicLinks({ published, json, yaml, reference }: OpenAPISpec['urls']): Value {
  const links = Object.entries({ document: published, JSON: json, YAML: yaml, reference });
  return links.map(([name, url]) => url !== undefined && html`<a href="${url}">${name}</a> `);
}

/** Those that the caller may send: a new source is a job, other changes are not. */
function forms(visit: Visit, { spec, tried }: { spec: OpenAPISpec; tried: Tried | undefined }): Value {
  if (!spec.permissions.edit) return undefined;
  return html`${
    mayUse(visit.session, 'jobs') &&
    html`<h2>Source</h2>
${formOf(refresh, { visit, button: spec.sourceURL === undefined ? 'Process it again' : 'Fetch it again', isMain: false })}
${formOf(replace, { visit, tried, button: 'Replace the source', fields: sourceFields(replace, tried) })}`
  }
${
  mayUse(visit.session, 'write') &&
  html`<h2>Settings</h2>
${formOf(update, { visit, tried, button: 'Save the settings', fields: settingsFields(spec, tried) })}
<h2>Delete it</h2>
${formOf(remove, { visit, button: 'Delete the specification', isMain: false })}`
}`;
}

function settingsFields({ visibility, refresh: refreshed }: OpenAPISpec, tried: Tried | undefined): Html {
  const value = (name: string, otherwise?: string) => typed(tried, update, name, otherwise);
  return html`${choiceField(
    { name: 'visibility', label: 'Visibility' },
    {
      options: [
        ['private', 'Private: members, and visitors of sites that show it'],
        ['public', 'Public: everyone, without a token'],
      ],
      value: value('visibility', visibility),
    },
  )}
${
  refreshed &&
  textField(
    {
      name: 'refreshMinutes',
      label: 'Fetch it again after minutes',
      hint: '15 to 43200; 0 is never, empty the default of the server.',
    },
    { value: value('refreshMinutes', refreshed.minutes?.toString()) },
  )
}`;
}
