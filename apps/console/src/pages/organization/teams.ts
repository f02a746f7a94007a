import type { Organization, Team, TeamMember } from '@bindery/contract';
import { html, moment, table, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn, wordsIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, linesField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { searchForm } from '../../layout/searchForm.ts';
import { mayUse } from '../../session/mayUse.ts';
import {
  belowTitle,
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPath,
  organizationPlace,
} from './frame.ts';

const shown = 50;
const place = `${organizationPlace}/teams/:team`;
const teamApi = ({ organization = '', team = '' }: Record<string, string>) =>
  apiPath`/orgs/${organization}/teams/${team}`;

const create: ApiForm = {
  path: `${organizationPlace}/teams`,
  request: (params, fields) => ({
    method: 'PUT',
    path: `${organizationApi(params)}/teams`,
    json: { title: textIn(fields, 'title') ?? '' },
  }),
  example: { title: 'Writers' },
};

const rename: ApiForm = {
  path: `${place}/title`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: teamApi(params),
    json: { title: textIn(fields, 'title') ?? '' },
  }),
  example: { title: 'Writers' },
};

const add: ApiForm = {
  path: `${place}/add`,
  request: (params, fields) => ({
    method: 'PUT',
    path: `${teamApi(params)}/members`,
    json: { add: wordsIn(fields, 'add') },
  }),
  example: { add: 'ada@example.org' },
};

/** Changes the role of one member in the team, or takes it out. */
const change: ApiForm = {
  path: `${place}/member`,
  request: (params, fields) => {
    const path = `${teamApi(params)}${apiPath`/members/${textIn(fields, 'member') ?? ''}`}`;
    const role = textIn(fields, 'change') ?? '';
    return role === 'remove' ? { method: 'DELETE', path } : { method: 'PUT', path, json: { role } };
  },
  example: { member: 'USER', change: 'owner' },
};

const remove: ApiForm = {
  path: `${place}/delete`,
  request: (params) => ({ method: 'DELETE', path: teamApi(params) }),
  confirm: 'Delete the team with its grants',
};

const toTeam = ({ params }: Visit) => ({
  location: `/organizations/${params['organization']}/teams/${params['team']}`,
});

export const teamRoutes: readonly Route[] = [
  page(create.path, teamsPage),
  formRoute<Team>(create, {
    next: ({ params }, { body }) => ({
      location: `/organizations/${params['organization']}/teams/${body.id}`,
    }),
    again: teamsPage,
  }),
  page(place, teamPage),
  ...[rename, add, change].map((form) => formRoute(form, { next: toTeam, again: teamPage })),
  formRoute(remove, {
    next: ({ params }) => ({ location: `/organizations/${params['organization']}/teams` }),
    again: teamPage,
  }),
];

async function teamsPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, query, params } = visit;
  const organization = await loadOrganization(visit);
  const title = query.get('search') || undefined;
  const list = await api.get<ListPage<Team>>(
    withQuery(`${organizationApi(params)}/teams`, {
      limit: shown,
      title,
      page: placeIn(query),
    }),
  );
  const path = `${organizationPath(organization)}/teams`;
  return inOrganization(organization, visit, {
    title: 'Teams',
    main: html`${searchForm(path, { fields: textField({ name: 'search', label: 'Part of the title' }, { value: title }), button: 'Show' })}
${teamTable(list.items, path)}
${furtherLink(list, { path, query, text: 'Further teams' })}
${
  organization.permissions.admin &&
  html`<h2>Create a team</h2>
${formOf(create, {
  visit,
  tried,
  button: 'Create the team',
  fields: textField(
    { name: 'title', label: 'Title', isRequired: true },
    { value: typed(tried, create, 'title') },
  ),
})}`
}`,
  });
}

function teamTable(teams: readonly Team[], path: string): Html {
  return table<Team>(
    { id: 'teams', caption: 'Newest first', none: 'There are none.' },
    [
      { name: 'Team', cell: ({ id, title }) => teamLink(`${path}/${id}`, title) },
      { name: 'Members', isNumber: true, cell: ({ members }) => members },
      { name: 'Spaces', isNumber: true, cell: ({ spaces }) => spaces },
      { name: 'Created', cell: ({ createdAt }) => moment(new Date(createdAt)) },
    ],
    teams,
  );
}

function teamLink(target: string, title: string): Html {
  return html`<a href="${target}">${title}</a>`;
}

async function teamPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, query, params } = visit;
  const [organization, team, members] = await Promise.all([
    loadOrganization(visit),
    api.get<Team>(teamApi(params)),
    api.get<ListPage<TeamMember>>(
      withQuery(`${teamApi(params)}/members`, { limit: shown, page: placeIn(query) }),
    ),
  ]);
  const teams = `${organizationPath(organization)}/teams`;
  return inOrganization(organization, visit, {
    title: team.title,
    above: [...belowTitle(organization), { name: 'Teams', path: teams }],
    main: html`${memberTable(members, organization)}
${furtherLink(members, { path: `${teams}/${team.id}`, query, text: 'Further members' })}
${team.permissions.admin && mayUse(visit.session, 'admin') && forms(visit, { team, members: members.items, tried })}`,
  });
}

function memberTable(
  { items, count = items.length }: ListPage<TeamMember>,
  organization: Organization,
): Html {
  const path = `${organizationPath(organization)}/members`;
  return table<TeamMember>(
    { id: 'members', caption: `${items.length} of ${count} members`, none: 'It has no members.' },
    [
      { name: 'Name', cell: ({ organization: { id, user } }) => teamLink(`${path}/${id}`, user.displayName) },
      { name: 'E-mail address', cell: ({ organization: { user } }) => user.email },
      { name: 'Role in the team', cell: ({ team }) => team.role },
    ],
    items,
  );
}

function forms(
  visit: Visit,
  { team, members, tried }: { team: Team; members: readonly TeamMember[]; tried: Tried | undefined },
): Html {
  const value = (form: ApiForm, name: string, otherwise?: string) => typed(tried, form, name, otherwise);
  const options = members.map(({ organization: { id, user } }) => [id, user.displayName] as const);
  return html`<h2>Add members</h2>
${formOf(add, {
  visit,
  tried,
  button: 'Add',
  fields: linesField(
    { name: 'add', label: 'E-mail addresses or ids', hint: 'Of members of the organization, one a line.' },
    value(add, 'add'),
  ),
})}
${
  options.length > 0 &&
  html`<h2>Change a member</h2>
${formOf(change, {
  visit,
  tried,
  button: 'Change the member',
  isMain: false,
  fields: html`${choiceField({ name: 'member', label: 'Member' }, { options, value: value(change, 'member') })}
${choiceField({ name: 'change', label: 'Change' }, { options: changes, value: value(change, 'change') })}`,
})}`
}
<h2>Rename the team</h2>
${formOf(rename, {
  visit,
  tried,
  button: 'Rename',
  isMain: false,
  fields: textField(
    { name: 'title', label: 'Title', isRequired: true },
    { value: value(rename, 'title', team.title) },
  ),
})}
<h2>Delete the team</h2>
${formOf(remove, { visit, button: 'Delete the team', isMain: false })}`;
}

const changes = [
  ['owner', 'Make an owner, who manages the team'],
  ['member', 'Make a member'],
  ['remove', 'Take out of the team'],
] as const;
