import type { InvitedUsers, ListedInvite, Organization, PendingMember } from '@bindery/contract';
import { html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { wordsIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { checkField, linesField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { roleField, roleIn } from '../../layout/roleField.ts';
import { spaceLink } from '../links.ts';
import { createLink, linkPath } from './inviteLink.ts';
import {
  adminPage,
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPath,
  organizationPlace,
} from './frame.ts';

const shown = 50;
const place = `${organizationPlace}/invites`;

const inviteUsers: ApiForm = {
  path: `${place}/users`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${organizationApi(params)}/invites`,
    json: {
      emails: wordsIn(fields, 'emails'),
      role: roleIn(fields, 'inviteRole'),
      ...(fields.has('sso') && { sso: true }),
    },
  }),
  example: { emails: 'ada@example.org', inviteRole: 'edit' },
};

const withdraw: ApiForm = {
  path: `${place}/pending/:pending/withdraw`,
  request: ({ organization = '', pending = '' }) => ({
    method: 'DELETE',
    path: apiPath`/orgs/${organization}/pending-members/${pending}`,
  }),
};

export const inviteRoutes: readonly Route[] = [
  page(place, invitesPage),
  formRoute<InvitedUsers>(inviteUsers, { next: invitedPage, again: invitesPage }),
  formRoute(createLink, {
    next: ({ params }) => ({ location: `/organizations/${params['organization']}/invites` }),
    again: invitesPage,
  }),
  formRoute(withdraw, {
    next: ({ params }) => ({ location: `/organizations/${params['organization']}/invites` }),
    again: invitesPage,
  }),
];

async function invitesPage(visit: Visit, tried?: Tried): Promise<Page> {
  return adminPage(visit, {
    title: 'Invites',
    task: 'invite people',
    main: async (organization) => invites(visit, { organization, tried }),
  });
}

async function invites(
  visit: Visit,
  { organization, tried }: { organization: Organization; tried: Tried | undefined },
): Promise<Html> {
  const { api, params, query } = visit;
  const list = async <Item>(name: string, parameter: string) =>
    api.get<ListPage<Item>>(
      withQuery(`${organizationApi(params)}/${name}`, {
        limit: shown,
        page: placeIn(query, parameter),
      }),
    );
  const [links, pending] = await Promise.all([
    list<ListedInvite>('link-invites', 'page'),
    list<PendingMember>('pending-members', 'pendingPage'),
  ]);
  const path = `${organizationPath(organization)}/invites`;
  return html`<h2>Invite by e-mail address</h2>
<p>New users become members at once. Other users are asked first. Nobody gets an e-mail: tell them to sign in.</p>
${formOf(inviteUsers, { visit, tried, button: 'Invite', fields: userFields(tried) })}
<h2>Not answered yet</h2>
${pendingTable(visit, pending.items)}
${furtherLink(pending, { path, query, text: 'Further unanswered invites', parameter: 'pendingPage' })}
<h2>Links</h2>
${!organization.inviteLinks && html`<p class="note">Link invites are turned off in the settings of the organization.</p>`}
${linkTable(links.items, organization)}
${furtherLink(links, { path, query, text: 'Further links' })}
<h2>Create a link</h2>
<p>Everybody who has the link can use it, until it is revoked. Spaces and collections have links of their own.</p>
${formOf(createLink, {
  visit,
  tried,
  button: 'Create the link',
  isMain: false,
  fields: roleField(
    { name: 'linkRole', label: 'Role of people who use the link' },
    { value: typed(tried, createLink, 'linkRole', 'read'), none: 'None: guests' },
  ),
})}`;
}

function userFields(tried: Tried | undefined): Html {
  return html`${linesField({ name: 'emails', label: 'E-mail addresses', hint: 'One a line, at most 100.' }, typed(tried, inviteUsers, 'emails'))}
${roleField(
  { name: 'inviteRole', label: 'Role' },
  {
    value: typed(tried, inviteUsers, 'inviteRole'),
    none: 'None: guests',
    first: [['', 'As set for people who join']],
  },
)}
${checkField({ name: 'sso', label: 'They sign in through the SAML provider' }, tried?.fields.has('sso') ?? false)}`;
}

function pendingTable(visit: Visit, pending: readonly PendingMember[]): Html {
  return table<PendingMember>(
    { id: 'pending', caption: 'Users who were asked. Times are UTC.', none: 'There are none.' },
    [
      { name: 'E-mail address', cell: ({ email }) => email },
      {
        name: 'For',
        cell: ({ joins, sso }) => [joins && 'membership', sso && 'single sign-on'].filter(Boolean).join(', '),
      },
      { name: 'Role', cell: ({ role }) => role ?? 'guest' },
      { name: 'Ends', cell: ({ expiresAt }) => moment(new Date(expiresAt)) },
      {
        name: 'Withdraw',
        cell: ({ id, email = id }) =>
          formOf(withdraw, { visit, params: { pending: id }, button: `Withdraw ${email}`, isMain: false }),
      },
    ],
    pending,
  );
}

function linkTable(links: readonly ListedInvite[], organization: Organization): Html {
  return table<ListedInvite>(
    { id: 'links', caption: 'Newest first', none: 'There are none.' },
    [
      { name: 'Leads to', cell: (invite) => targetOf(invite) },
      { name: 'Role', cell: ({ role, level = role }) => level ?? 'none' },
      { name: 'Show or revoke it', cell: (invite) => editLink(invite, organization) },
    ],
    links,
  );
}

function targetOf({ space, collection }: ListedInvite): Value {
  if (space) return spaceLink(space);
  return collection ? `the collection ${collection.title}` : 'the organization';
}

function editLink({ id }: ListedInvite, organization: Organization): Html {
  const target = linkPath({ organization: organization.id, invite: id });
  return html`<a href="${target}">Link ${id.slice(0, 6)}</a>`;
}

/** Says who became a member, and who has to agree first. */
async function invitedPage(visit: Visit, { body }: { body: InvitedUsers }): Promise<Page> {
  const organization = await loadOrganization(visit);
  const { invited, pending = [] } = body;
  const path = `${organizationPath(organization)}/invites`;
  return inOrganization(organization, visit, {
    title: 'Invited',
    main: html`<ul role="status"><li>New members: ${invited - pending.length}</li>
<li>Asked to agree first: ${pending.length}</li></ul>
<p><a href="${path}">To the invites</a></p>`,
  });
}
