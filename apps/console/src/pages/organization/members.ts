import type { Member, MemberSpace, MemberTeam, Organization } from '@bindery/contract';
import { facts, html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { roleField, roleIn, roleValue } from '../../layout/roleField.ts';
import { searchForm } from '../../layout/searchForm.ts';
import { mayUse } from '../../session/mayUse.ts';
import { spaceLink } from '../links.ts';
import {
  belowTitle,
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPath,
  organizationPlace,
} from './frame.ts';

const membersShown = 50;
const place = `${organizationPlace}/members/:member`;
const memberApi = ({ organization = '', member = '' }: Record<string, string>) =>
  apiPath`/orgs/${organization}/members/${member}`;

const setRole: ApiForm = {
  path: `${place}/role`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: memberApi(params),
    json: { role: roleIn(fields, 'role') },
  }),
  example: { role: 'edit' },
};

const useSso: ApiForm = {
  path: `${place}/single-sign-on`,
  request: (params) => ({ method: 'POST', path: `${memberApi(params)}/sso` }),
};

const remove: ApiForm = {
  path: `${place}/remove`,
  request: (params) => ({ method: 'DELETE', path: memberApi(params) }),
  confirm: 'End this membership, with its teams and grants',
};

export const memberRoutes: readonly Route[] = [
  page(`${organizationPlace}/members`, membersPage),
  page(place, memberPage),
  ...[setRole, useSso].map((form) =>
    formRoute(form, {
      next: ({ params }) => ({
        location: `/organizations/${params['organization']}/members/${params['member']}`,
      }),
      again: memberPage,
    }),
  ),
  formRoute(remove, {
    next: ({ params, session }) => ({
      location:
        params['member'] === session.user._id ? '/' : `/organizations/${params['organization']}/members`,
    }),
    again: memberPage,
  }),
];

const shownRoles = [
  ['', 'All'],
  ['guest', 'Guests, who have no role'],
  ['admin', 'Admin'],
  ['create', 'Create'],
  ['review', 'Review'],
  ['edit', 'Edit'],
  ['comment', 'Comment'],
  ['read', 'Read'],
] as const;

/** The members and guests of an organization, found by a part of their name or address, and by role. */
async function membersPage(visit: Visit): Promise<Page> {
  const { api, query, params } = visit;
  const organization = await loadOrganization(visit);
  const given = query.get('role') ?? '';
  const role = shownRoles.find(([one]) => one === given)?.[0] || undefined;
  const search = query.get('search') || undefined;
  const after = placeIn(query);
  const list = await api.get<ListPage<Member>>(
    withQuery(`${organizationApi(params)}/members`, { limit: membersShown, role, search, page: after }),
  );
  const path = `${organizationPath(organization)}/members`;
  return inOrganization(organization, visit, {
    title: role === 'guest' ? 'Guests' : 'Members',
    main: html`${searchForm(path, {
      fields: html`${textField({ name: 'search', label: 'Name or e-mail address' }, { value: search })}
${choiceField({ name: 'role', label: 'Role' }, { options: shownRoles, value: role ?? '' })}`,
      button: 'Show',
    })}
${memberTable(list, path)}
${furtherLink(list, { path, query, text: 'Further members' })}`,
  });
}

function memberTable({ items, count = items.length }: ListPage<Member>, path: string): Html {
  return table<Member>(
    {
      id: 'members',
      caption: `${items.length} of ${count}, newest first. Times are UTC.`,
      none: 'There are none.',
    },
    [
      { name: 'Name', cell: ({ id, user }) => memberLink(path, { id, name: user.displayName }) },
      { name: 'E-mail address', cell: ({ user }) => user.email },
      { name: 'Role', cell: ({ role }) => role ?? 'guest' },
      { name: 'Single sign-on', cell: ({ sso }) => (sso ? 'yes' : 'no') },
      { name: 'Joined', cell: ({ joinedAt }) => moment(new Date(joinedAt)) },
      {
        name: 'Last seen',
        cell: ({ lastSeenAt }) => lastSeenAt !== undefined && moment(new Date(lastSeenAt)),
      },
    ],
    items,
  );
}

function memberLink(path: string, { id, name }: { id: string; name: string }): Html {
  const target = `${path}/${id}`;
  return html`<a href="${target}">${name}</a>`;
}

async function memberPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params } = visit;
  const path = memberApi(params);
  const [organization, member, spaces, teams] = await Promise.all([
    loadOrganization(visit),
    api.get<Member>(path),
    api.get<ListPage<MemberSpace>>(`${path}/spaces?limit=${membersShown}&order=asc`),
    api.get<ListPage<MemberTeam>>(`${path}/teams?limit=${membersShown}`),
  ]);
  const { user, role, sso, joinedAt, lastSeenAt } = member;
  return inOrganization(organization, visit, {
    title: user.displayName,
    above: [
      ...belowTitle(organization),
      { name: 'Members', path: `${organizationPath(organization)}/members` },
    ],
    main: html`${facts([
      ['E-mail address', user.email],
      ['Role', role ?? 'guest'],
      ['Single sign-on', sso ? 'yes' : 'no'],
      ['Joined', moment(new Date(joinedAt))],
      ['Last seen', lastSeenAt !== undefined && moment(new Date(lastSeenAt))],
    ])}
<h2>Spaces</h2>
${listOf(spaces, ({ space, permission }) => html`${spaceLink(space)}: ${permission}`)}
<h2>Teams</h2>
${listOf(teams, ({ team, member: { role: inTeam } }) => html`${team.title}: ${inTeam}`)}
${forms(visit, { organization, member, tried })}`,
  });
}

function listOf<Item>({ items, count = items.length }: ListPage<Item>, entry: (item: Item) => Value): Html {
  if (items.length === 0) return html`<p>There are none.</p>`;
  return html`<ul>${items.map((item) => html`<li>${entry(item)}</li>`)}</ul>
${count > items.length && html`<p>${items.length} of ${count} are shown.</p>`}`;
}

function forms(
  visit: Visit,
  { organization, member, tried }: { organization: Organization; member: Member; tried: Tried | undefined },
): Value {
  const { session } = visit;
  const { admin } = organization.permissions;
  const isSelf = session.user._id === member.id;
  return html`${
    admin &&
    html`<h2>Role</h2>
${formOf(setRole, {
  visit,
  tried,
  button: 'Save the role',
  fields: roleField(
    { name: 'role', label: 'Role' },
    { value: typed(tried, setRole, 'role', roleValue(member.role)), none: 'None: a guest' },
  ),
})}`
  }
${
  admin &&
  !member.sso &&
  html`<h2>Single sign-on</h2>
<p>The member signs in through the SAML provider of the organization, after it has agreed.</p>
${formOf(useSso, { visit, button: 'Turn on single sign-on', isMain: false })}`
}
${
  (admin || (isSelf && mayUse(session, 'admin'))) &&
  html`<h2>${isSelf ? 'Leave the organization' : 'Remove the member'}</h2>
${formOf(remove, { visit, button: isSelf ? 'Leave' : 'Remove', isMain: false })}`
}`;
}
