import type { Invite } from '@bindery/contract';
import { facts, html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { roleField, roleIn, roleValue } from '../../layout/roleField.ts';
import { mayActForUser } from '../../session/mayUse.ts';
import { spaceLink } from '../links.ts';
import {
  belowTitle,
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPath,
  organizationPlace,
} from './frame.ts';

const place = `${organizationPlace}/invites/links/:invite`;
const inviteApi = ({ organization = '', invite = '' }: Record<string, string>) =>
  apiPath`/orgs/${organization}/link-invites/${invite}`;

/** The page of a link. */
export function linkPath({ organization, invite }: { organization: string; invite: string }): string {
  return `/organizations/${organization}/invites/links/${invite}`;
}

/** Creates a link to the organization. */
export const createLink: ApiForm = {
  path: `${organizationPlace}/invites/links`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${organizationApi(params)}/link-invites`,
    json: { role: roleIn(fields, 'linkRole') },
  }),
  example: { linkRole: 'read' },
};

const changeRole: ApiForm = {
  path: `${place}/role`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: inviteApi(params),
    json: { [fields.get('field') === 'level' ? 'level' : 'role']: roleIn(fields, 'role') },
  }),
  example: { role: 'read' },
};

const revoke: ApiForm = {
  path: `${place}/revoke`,
  request: (params) => ({ method: 'DELETE', path: inviteApi(params) }),
  confirm: 'Nobody can use the link any more',
};

const join: ApiForm = {
  path: '/join/:organization/:invite',
  request: ({ organization = '', invite = '' }) => ({
    method: 'POST',
    path: apiPath`/orgs/${organization}/invites/${invite}`,
  }),
};

export const inviteLinkRoutes: readonly Route[] = [
  page(place, linkPage),
  formRoute(changeRole, {
    next: ({ params: { organization = '', invite = '' } }) => ({
      location: linkPath({ organization, invite }),
    }),
    again: linkPage,
  }),
  formRoute(revoke, {
    next: ({ params }) => ({ location: `/organizations/${params['organization']}/invites` }),
    again: linkPage,
  }),
  page(join.path, joinPage),
  formRoute(join, { next: () => ({ location: '/' }), again: joinPage }),
];

async function linkPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params, platform } = visit;
  const [organization, invite] = await Promise.all([
    loadOrganization(visit),
    api.get<Invite>(inviteApi(params)),
  ]);
  const [role, field] = 'level' in invite ? [invite.level, 'level'] : [invite.role, 'role'];
  const url = `${platform.config.console.url}/join/${organization.id}/${invite.id}`;
  return inOrganization(organization, visit, {
    title: 'Link invite',
    above: [
      ...belowTitle(organization),
      { name: 'Invites', path: `${organizationPath(organization)}/invites` },
    ],
    main: html`${facts([
      ['Link', html`<code>${url}</code>`],
      ['Leads to', targetOf(invite)],
      ['Role', role ?? 'none'],
    ])}
${
  organization.permissions.admin &&
  html`<h2>Role of those who use it from now on</h2>
${formOf(changeRole, {
  visit,
  tried,
  button: 'Save the role',
  fields: html`<input type="hidden" name="field" value="${field}">
${roleField({ name: 'role', label: 'Role' }, { value: typed(tried, changeRole, 'role', roleValue(role)), none: 'None' })}`,
})}
<h2>Revoke it</h2>
${formOf(revoke, { visit, button: 'Revoke the link', isMain: false })}`
}`,
  });
}

function targetOf(invite: Invite): Value {
  if ('space' in invite) return spaceLink(invite.space);
  return 'collection' in invite ? `the collection ${invite.collection.title}` : 'the organization';
}

/** A page for people who are no members yet, who cannot see what the link leads to. */
async function joinPage(visit: Visit): Promise<Page> {
  return {
    title: 'Accept an invite',
    above: [],
    main: mayActForUser(visit.session)
      ? html`<p>You join the organization of the link, or get access to its space or collection.</p>
${formOf(join, { visit, button: 'Accept' })}`
      : html`<p>This session cannot join an organization: it is limited. Sign in with a token that holds everything,
or with a sign-in link.</p>`,
  };
}
