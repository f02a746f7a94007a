import type { Collection, Site, Space } from '@bindery/contract';
import { facts, html, moment, table, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { collectionLink } from '../collection/collection.ts';
import { createCollection, newCollection } from '../collection/newCollection.ts';
import { spaceLink } from '../links.ts';
import { loadOrganization, organizationPages } from './frame.ts';

const listed = 100;

const createSpace: ApiForm = {
  path: '/organizations/:organization/spaces',
  request: ({ organization = '' }, fields) => ({
    method: 'POST',
    path: apiPath`/orgs/${organization}/spaces`,
    json: { title: textIn(fields, 'title') ?? '', parent: textIn(fields, 'parent') },
  }),
  example: { title: 'Handbook' },
};

export const contentRoutes: readonly Route[] = [
  page('/organizations/:organization', organizationPage),
  formRoute<Space>(createSpace, {
    next: (_visit, { body }) => ({ location: `/spaces/${body.id}` }),
    again: organizationPage,
  }),
  formRoute<Collection>(createCollection, {
    next: (_visit, { body }) => ({ location: `/collections/${body.id}` }),
    again: organizationPage,
  }),
];

async function organizationPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params } = visit;
  const id = params['organization'] ?? '';
  const organization = await loadOrganization(visit);
  const { permissions } = organization;
  const [spaces, collections, sites, members] = await Promise.all([
    api.get<ListPage<Space>>(apiPath`/orgs/${id}/spaces${{ limit: listed }}`),
    api.get<ListPage<Collection>>(apiPath`/orgs/${id}/collections${{ limit: listed, nested: 'true' }}`),
    api.get<ListPage<Site>>(apiPath`/orgs/${id}/sites${{ limit: listed }}`),
    permissions.listMembers
      ? api.get<ListPage<unknown>>(apiPath`/orgs/${id}/members${{ limit: 1 }}`)
      : undefined,
  ]);
  const titles = new Map(collections.items.map((one) => [one.id, one.title]));
  return {
    title: organization.title,
    above: [],
    main: html`${organizationPages(organization, visit)}${facts([
      ['Spaces', spaces.count],
      ['Collections', collections.count],
      ['Sites', sites.count],
      ['Members', members?.count],
    ])}
<p><a href="/organizations/${id}/jobs">Jobs</a> <a href="/organizations/${id}/imports">Imports</a></p>
<h2>Spaces</h2>
${table<Space>(
  { id: 'spaces', caption: captionOf(spaces), none: 'There are none that you may see.' },
  [
    { name: 'Space', cell: spaceLink },
    { name: 'Collection', cell: ({ parent }) => parent !== undefined && titles.get(parent) },
    { name: 'Updated', cell: ({ updatedAt }) => moment(new Date(updatedAt)) },
    { name: 'Open change requests', isNumber: true, cell: ({ changeRequestsOpen }) => changeRequestsOpen },
  ],
  spaces.items,
)}
<h2>Collections</h2>
${collections.items.length === 0 && html`<p>There are none that you may see.</p>`}
<ul>${collections.items.map((one) => html`<li>${collectionLink(one)}</li>`)}</ul>
<h2>Sites</h2>
${sites.items.length === 0 && html`<p>There are none that you may see.</p>`}
<ul>${sites.items.map((site) => siteEntry(site, id))}</ul>
${
  permissions.createContent &&
  mayUse(visit.session, 'write') &&
  html`<p><a class="button" href="/organizations/${id}/new-site">Create a site</a></p>
${newSpace(visit, { collections: collections.items, tried })}${newCollection(visit, { collections: collections.items, tried })}`
}`,
  };
}

function siteEntry({ id, title, published, urls }: Site, organization: string): Html {
  return html`<li><a href="/organizations/${organization}/sites/${id}">${title}</a>
${published ? html`<a href="${urls.published}">(published)</a>` : '(not published)'}</li>`;
}

function newSpace(
  visit: Visit,
  { collections, tried }: { collections: readonly Collection[]; tried: Tried | undefined },
) {
  const where = [
    ['', 'None'] as const,
    ...collections
      .filter(({ permissions }) => permissions.create)
      .map(({ id, title }) => [id, title] as const),
  ];
  return html`<h2>Create a space</h2>
${formOf(createSpace, {
  visit,
  tried,
  button: 'Create the space',
  fields: html`${textField({ name: 'title', label: 'Title', isRequired: true }, { value: typed(tried, createSpace, 'title') })}
${choiceField({ name: 'parent', label: 'Collection' }, { options: where, value: typed(tried, createSpace, 'parent') })}`,
})}`;
}

function captionOf({ items, count = items.length }: ListPage<unknown>): string {
  return items.length < count ? `${items.length} of ${count}, newest first` : 'Newest first';
}
