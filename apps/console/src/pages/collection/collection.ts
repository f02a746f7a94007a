import type { Collection, Space } from '@bindery/contract';
import { facts, html, moment, table, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import { levelField } from '../../layout/levelField.ts';
import type { Crumb, Page } from '../../layout/page.ts';
import { roleIn } from '../../layout/roleField.ts';
import { spaceLink } from '../links.ts';
import { belowOrganization } from '../space/space.ts';
import { destinationIn, listCollections, listDestinations } from './destinations.ts';

const place = '/collections/:collection';
const collectionApi = ({ collection = '' }: Record<string, string>) => apiPath`/collections/${collection}`;

const update: ApiForm = {
  path: `${place}/settings`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: collectionApi(params),
    json: {
      title: textIn(fields, 'title') ?? '',
      description: textIn(fields, 'description') ?? '',
      defaultLevel: roleIn(fields, 'defaultLevel'),
    },
  }),
  example: { title: 'Products', description: 'One space for each product', defaultLevel: 'read' },
};

const move: ApiForm = {
  path: `${place}/move`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${collectionApi(params)}/move`,
    json: { parent: destinationIn(fields) },
  }),
  example: { parent: 'COLLECTION' },
};

const remove: ApiForm = {
  path: `${place}/delete`,
  request: (params) => ({ method: 'DELETE', path: collectionApi(params) }),
  confirm: 'Delete the collection and everything in it; its spaces can be restored for 7 days',
};

export const collectionRoutes: readonly Route[] = [
  page(place, collectionPage),
  ...[update, move].map((form) =>
    formRoute<Collection>(form, {
      next: (_visit, { body }) => ({ location: `/collections/${body.id}` }),
      again: collectionPage,
    }),
  ),
  formRoute(remove, { next: () => ({ location: '/' }), again: collectionPage }),
];

/** Loads the collection of a path. @throws ApiFailure */
export async function loadCollection({ api, params }: Visit): Promise<Collection> {
  return api.get<Collection>(collectionApi(params));
}

/** The pages above one that belongs to a collection. */
export function belowCollection(collection: Collection): Crumb[] {
  return [
    ...belowOrganization(collection),
    { name: collection.title, path: `/collections/${collection.id}` },
  ];
}

export function collectionLink({ id, title }: Pick<Collection, 'id' | 'title'>): Html {
  return html`<a href="/collections/${id}">${title}</a>`;
}

async function collectionPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, query, params } = visit;
  const collection = await loadCollection(visit);
  const { id, organization, title, description, parent, defaultLevel, permissions } = collection;
  const [spaces, collections] = await Promise.all([
    api.get<ListPage<Space>>(
      withQuery(`${collectionApi(params)}/spaces`, { limit: 50, page: placeIn(query) }),
    ),
    listCollections(visit, organization),
  ]);
  const above = collections.find((one) => one.id === parent);
  const inside = collections.filter((one) => one.parent === id);
  return {
    title,
    above: belowOrganization(collection),
    main: html`${facts([
      ['Description', description],
      ['In', above && collectionLink(above)],
      ['Role of members', defaultLevel ?? 'none'],
    ])}
${permissions.admin && html`<p><a class="button" href="/collections/${id}/permissions">Permissions</a></p>`}
<h2>Spaces</h2>
${table<Space>(
  { id: 'spaces', caption: 'Spaces of this collection', none: 'It has none that you may see.' },
  [
    { name: 'Space', cell: spaceLink },
    { name: 'Updated', cell: ({ updatedAt }) => moment(new Date(updatedAt)) },
  ],
  spaces.items,
)}
${furtherLink(spaces, { path: `/collections/${id}`, query, text: 'Further spaces' })}
<h2>Collections</h2>
${inside.length === 0 && html`<p>It has none that you may see.</p>`}
<ul>${inside.map((one) => html`<li>${collectionLink(one)}</li>`)}</ul>
${permissions.admin && (await forms(visit, { collection, tried }))}`,
  };
}

async function forms(
  visit: Visit,
  { collection, tried }: { collection: Collection; tried: Tried | undefined },
): Promise<Html> {
  const { id, organization, title, description, parent, defaultLevel } = collection;
  const destinations = await listDestinations(visit, { organization, besides: id });
  const value = (name: string, otherwise?: string) => typed(tried, update, name, otherwise);
  return html`<h2>Settings</h2>
${formOf(update, {
  visit,
  tried,
  button: 'Save the settings',
  fields: html`${textField({ name: 'title', label: 'Title', isRequired: true }, { value: value('title', title) })}
${textField({ name: 'description', label: 'Description' }, { value: value('description', description) })}
${levelField({ shown: defaultLevel, value: value('defaultLevel') })}`,
})}
${
  destinations.length > 0 &&
  html`<h2>Move it</h2>
${formOf(move, {
  visit,
  tried,
  button: 'Move the collection',
  isMain: false,
  fields: choiceField(
    { name: 'parent', label: 'Into' },
    { options: destinations, value: typed(tried, move, 'parent', parent ?? 'root') },
  ),
})}`
}
<h2>Delete it</h2>
${formOf(remove, { visit, button: 'Delete the collection', isMain: false })}`;
}
