import type { Space } from '@bindery/contract';
import { html, moment, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { levelField } from '../../layout/levelField.ts';
import type { Page } from '../../layout/page.ts';
import { roleIn } from '../../layout/roleField.ts';
import { destinationIn, listDestinations } from '../collection/destinations.ts';
import { belowOrganization, belowSpace, loadSpace } from '../space/space.ts';

const place = '/spaces/:space/settings';
const spaceApi = ({ space = '' }: Record<string, string>) => apiPath`/spaces/${space}`;

const update: ApiForm = {
  path: place,
  request: (params, fields) => ({
    method: 'PATCH',
    path: spaceApi(params),
    json: {
      title: textIn(fields, 'title') ?? '',
      editMode: textIn(fields, 'editMode'),
      defaultLevel: roleIn(fields, 'defaultLevel'),
      language: textIn(fields, 'language'),
      icon: textIn(fields, 'icon'),
    },
  }),
  example: { title: 'Handbook', editMode: 'locked' },
};

const move: ApiForm = {
  path: `${place}/move`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${spaceApi(params)}/move`,
    json: { parent: destinationIn(fields) },
  }),
  example: { parent: 'COLLECTION' },
};

const duplicate: ApiForm = {
  path: `${place}/duplicate`,
  request: (params) => ({ method: 'POST', path: `${spaceApi(params)}/duplicate` }),
};

const remove: ApiForm = {
  path: `${place}/delete`,
  request: (params) => ({ method: 'DELETE', path: spaceApi(params) }),
  confirm: 'Delete the space; it can be restored for 7 days',
};

const restore: ApiForm = {
  path: `${place}/restore`,
  request: (params) => ({ method: 'POST', path: `${spaceApi(params)}/restore` }),
};

export const spaceSettingsRoutes: readonly Route[] = [
  page(place, settingsPage),
  ...[update, move].map((form) =>
    formRoute<Space>(form, {
      next: (_visit, { body }) => ({ location: `/spaces/${body.id}/settings` }),
      again: settingsPage,
    }),
  ),
  ...[duplicate, restore].map((form) =>
    formRoute<Space>(form, {
      next: (_visit, { body }) => ({ location: `/spaces/${body.id}` }),
      again: settingsPage,
    }),
  ),
  formRoute(remove, {
    next: ({ params }) => ({ location: `/spaces/${params['space']}/settings` }),
    again: settingsPage,
  }),
];

async function settingsPage(visit: Visit, tried?: Tried): Promise<Page> {
  const space = await loadSpace(visit);
  const isDeleted = space.deletedAt !== undefined;
  return {
    title: `Settings of ${space.title || 'the space'}`,
    above: isDeleted ? belowOrganization(space) : belowSpace(space),
    main: isDeleted ? restoreForm(visit, space) : await mainOf(visit, { space, tried }),
  };
}

/** Only those who may restore a deleted space see it at all. */
function restoreForm(visit: Visit, { deletedAt }: Space): Html {
  return html`<p class="note">This space was deleted at ${deletedAt !== undefined && moment(new Date(deletedAt))} (UTC). It
can be restored for 7 days; keep the address of this page.</p>
${formOf(restore, { visit, button: 'Restore the space' })}`;
}

async function mainOf(
  visit: Visit,
  { space, tried }: { space: Space; tried: Tried | undefined },
): Promise<Value> {
  if (!space.permissions.admin) return html`<p>Only admins of the space change its settings.</p>`;
  const { id, organization, parent } = space;
  const destinations = await listDestinations(visit, { organization });
  const isCreator = destinations.some(([value]) => value === 'root');
  return html`<p><a class="button" href="/spaces/${id}/permissions">Permissions</a></p>
${formOf(update, { visit, tried, button: 'Save the settings', fields: fieldsOf(space, tried) })}
${
  destinations.length > 0 &&
  html`<h2>Move it</h2>
${formOf(move, {
  visit,
  tried,
  button: 'Move the space',
  isMain: false,
  fields: choiceField(
    { name: 'parent', label: 'Into the collection' },
    { options: destinations, value: typed(tried, move, 'parent', parent ?? 'root') },
  ),
})}`
}
${
  isCreator &&
  html`<h2>Duplicate it</h2>
<p>The copy has the present content, without change requests and history.</p>
${formOf(duplicate, { visit, button: 'Duplicate the space', isMain: false })}`
}
<h2>Delete it</h2>
${formOf(remove, { visit, button: 'Delete the space', isMain: false })}`;
}

function fieldsOf(space: Space, tried: Tried | undefined): Html {
  const value = (name: string, otherwise?: string) => typed(tried, update, name, otherwise);
  return html`${textField({ name: 'title', label: 'Title', isRequired: true }, { value: value('title', space.title) })}
${choiceField(
  { name: 'editMode', label: 'Editing' },
  {
    options: [
      ['live', 'Also without change requests'],
      ['locked', 'With change requests only'],
    ],
    value: value('editMode', space.editMode),
  },
)}
${levelField({ shown: space.defaultLevel, value: value('defaultLevel') })}
${textField(
  { name: 'language', label: 'Language', hint: 'A code such as en, de or pt-br; empty leaves it as it is.' },
  { value: value('language', space.language) },
)}
${textField(
  { name: 'icon', label: 'URL of an icon', hint: 'Empty leaves the icon or emoji as it is.' },
  { type: 'url', value: value('icon', space.urls.icon) },
)}`;
}
