import type { OpenAPISpec, OpenAPISpecVersion } from '@bindery/contract';
import { html, moment, table, type Html } from '@bindery/html';
import type { ListPage } from '../../api/api.ts';
import { orMissing } from '../../api/orMissing.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import {
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPath,
} from '../organization/frame.ts';
import { specApi, specPath, specsPlace, versionLink } from './frame.ts';
import { sourceFields, sourceForm, sourceIn } from './sourceFields.ts';
import { specState } from './specState.ts';

/** Each also takes a request for its newest version, which has its title. */
const shown = 20;

const create: ApiForm = {
  ...sourceForm,
  path: specsPlace,
  request: (params, fields) => ({
    method: 'POST',
    path: `${organizationApi(params)}/openapi`,
    json: { slug: textIn(fields, 'slug') ?? '', source: sourceIn(fields) },
  }),
  example: { ...sourceForm.example, slug: 'petstore' },
};

export const specsRoutes: readonly Route[] = [
  page(create.path, specsPage),
  formRoute<OpenAPISpec>(create, {
    next: ({ params }, { body }) => ({ location: specPath({ ...params, spec: body.slug }) }),
    again: specsPage,
  }),
];

type Listed = { spec: OpenAPISpec; newest: OpenAPISpecVersion | undefined };

async function specsPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params, query } = visit;
  const organization = await loadOrganization(visit);
  const list = await api.get<ListPage<OpenAPISpec>>(
    withQuery(`${organizationApi(params)}/openapi`, { limit: shown, page: placeIn(query) }),
  );
  const specs = await Promise.all(list.items.map(async (spec) => withNewest(spec, visit)));
  const mayCreate = organization.permissions.createOpenAPISpec && mayUse(visit.session, 'jobs');
  return inOrganization(organization, visit, {
    title: 'API specifications',
    main: html`${specTable(specs, params)}
${furtherLink(list, { path: `${organizationPath(organization)}/openapi`, query, text: 'Further specifications' })}
${
  mayCreate &&
  html`<h2>Add a specification</h2>
${formOf(create, { visit, tried, button: 'Add the specification', fields: createFields(tried) })}`
}`,
  });
}

async function withNewest(spec: OpenAPISpec, { api, params }: Visit): Promise<Listed> {
  if (spec.lastVersion === undefined) return { spec, newest: undefined };
  const path = `${specApi({ ...params, spec: spec.slug })}/versions/latest`;
  // Somebody may delete the specification between the two requests.
  return { spec, newest: await orMissing(api.get<OpenAPISpecVersion>(path)) };
}

function specTable(specs: readonly Listed[], params: Visit['params']): Html {
  return table<Listed>(
    {
      id: 'specifications',
      caption: 'Newest first. Times are UTC.',
      none: 'There are none that you may see.',
    },
    [
      { name: 'Specification', cell: ({ spec }) => specLink(spec, params) },
      {
        name: 'Newest version',
        cell: ({ spec, newest }) => newest && versionLink(newest, { ...params, spec: spec.slug }),
      },
      { name: 'State', cell: ({ spec }) => specState(spec) },
      { name: 'Visibility', cell: ({ spec }) => spec.visibility },
      { name: 'Updated', cell: ({ spec }) => moment(new Date(spec.updatedAt)) },
    ],
    specs,
  );
}

function specLink({ slug }: OpenAPISpec, params: Visit['params']): Html {
  return html`<a href="${specPath({ ...params, spec: slug })}">${slug}</a>`;
}

function createFields(tried: Tried | undefined): Html {
  return html`${textField({ name: 'slug', label: 'Slug', hint: 'Lower case letters, digits and hyphens, such as petstore.', isRequired: true }, { value: typed(tried, create, 'slug') })}
${sourceFields(create, tried)}`;
}
