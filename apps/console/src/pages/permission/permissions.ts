import type { Role, Team, Member, User } from '@bindery/contract';
import { html, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Crumb, Page } from '../../layout/page.ts';
import { roleField, roleIn } from '../../layout/roleField.ts';
import { searchForm } from '../../layout/searchForm.ts';

const shown = 50;

/** A thing on which users and teams have roles. */
export type Granting = {
  /** Its permissions in the console, as of a route. */
  place: string;
  /** Its path in the API. */
  api: (params: Record<string, string>) => string;
  kind: 'space' | 'collection' | 'site';
  load: (visit: Visit) => Promise<{ organization: string; title: string; isAdmin: boolean; above: Crumb[] }>;
};

type UserGrant = { permission: Role; user: User };
type TeamGrant = { permission: Role; team: Team };

/** The pages and forms with which admins give roles on one kind of thing. */
export function permissionRoutes(granting: Granting): readonly Route[] {
  const { place, api } = granting;
  const grant: ApiForm = {
    path: place,
    request: (params, fields) => {
      const [kind, id] = (textIn(fields, 'to') ?? 'user:').split(':');
      return {
        method: 'POST',
        path: `${api(params)}/permissions`,
        json: { role: roleIn(fields, 'role') ?? null, [kind === 'team' ? 'teams' : 'users']: [id] },
      };
    },
    example: { to: 'user:USER', role: 'edit' },
  };
  const show = async (visit: Visit, tried?: Tried) => permissionsPage(visit, { granting, grant, tried });
  return [
    page(place, show),
    formRoute(grant, {
      next: ({ params }) => ({
        location: place.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
      }),
      again: show,
    }),
  ];
}

type Shown = { granting: Granting; grant: ApiForm; tried: Tried | undefined };

async function permissionsPage(visit: Visit, at: Shown): Promise<Page> {
  const { title, isAdmin, above, organization } = await at.granting.load(visit);
  return {
    title: `Permissions on ${title}`,
    above,
    main: isAdmin
      ? await grants(visit, { ...at, organization })
      : html`<p>Only admins of the ${at.granting.kind} see who may do what.</p>`,
  };
}

async function grants(
  visit: Visit,
  { granting, grant, tried, organization }: Shown & { organization: string },
): Promise<Html> {
  const { api, query, params } = visit;
  const path = `${granting.api(params)}/permissions`;
  const [users, teams] = await Promise.all([
    api.get<ListPage<UserGrant>>(withQuery(`${path}/users`, { limit: shown, page: placeIn(query) })),
    api.get<ListPage<TeamGrant>>(
      withQuery(`${path}/teams`, { limit: shown, page: placeIn(query, 'teamPage') }),
    ),
  ]);
  const here = granting.place.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  return html`<p>Besides, members have the role that the settings give them, or that was granted on a collection above.</p>
<h2>Users</h2>
${grantTable('users', users.items, ({ user }) => html`${user.displayName} ${user.email}`)}
${furtherLink(users, { path: here, query, text: 'Further users' })}
<h2>Teams</h2>
${grantTable('teams', teams.items, ({ team }) => team.title)}
${furtherLink(teams, { path: here, query, text: 'Further teams', parameter: 'teamPage' })}
${await grantForm(visit, { grant, tried, organization, here })}`;
}

function grantTable<Grant extends { permission: Role }>(
  id: string,
  rows: readonly Grant[],
  nameOf: (grant: Grant) => Value,
): Html {
  return table<Grant>(
    { id, caption: `Roles of ${id}, newest first`, none: 'Nothing was granted.' },
    [
      { name: 'Name', cell: nameOf },
      { name: 'Role', cell: ({ permission }) => permission },
    ],
    rows,
  );
}

/** Offers the members and teams that a search found: an organization may have too many for one list. */
async function grantForm(
  visit: Visit,
  {
    grant,
    tried,
    organization,
    here,
  }: { grant: ApiForm; tried: Tried | undefined; organization: string; here: string },
): Promise<Html> {
  const { api, query } = visit;
  const search = query.get('search') || undefined;
  const [members, teams] = await Promise.all([
    api.get<ListPage<Member>>(
      apiPath`/orgs/${organization}/members${{ limit: shown, search, sort: 'name', order: 'asc' }}`,
    ),
    api.get<ListPage<Team>>(apiPath`/orgs/${organization}/teams${{ limit: shown, title: search }}`),
  ]);
  const options = [
    ...teams.items.map(({ id, title }) => [`team:${id}`, `Team ${title}`] as const),
    ...members.items.map(
      ({ id, user: { displayName, email } }) =>
        [`user:${id}`, email === undefined ? displayName : `${displayName}, ${email}`] as const,
    ),
  ];
  return html`<h2>Give a role</h2>
${searchForm(here, {
  fields: textField(
    {
      name: 'search',
      label: 'Find members and teams',
      hint: `The first ${shown} of each are offered below.`,
    },
    { value: search },
  ),
  button: 'Find',
})}
${
  options.length === 0
    ? html`<p>There are none.</p>`
    : formOf(grant, {
        visit,
        tried,
        button: 'Save the role',
        fields: html`${choiceField({ name: 'to', label: 'Member or team' }, { options, value: typed(tried, grant, 'to') })}
${roleField({ name: 'role', label: 'Role' }, { value: typed(tried, grant, 'role', 'edit'), none: 'None: removes the role' })}`,
      })
}`;
}
