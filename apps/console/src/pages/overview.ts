import type { ChangeRequest, Organization, Space } from '@bindery/contract';
import { html, moment, table, type Html } from '@bindery/html';
import { findRequiredSignIns, type RequiredSignIn } from '@bindery/models';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../api/api.ts';
import { page, type Route, type Visit } from '../http/route.ts';
import type { Page } from '../layout/page.ts';
import { changeRequestLink, spaceLink } from './links.ts';

export const overviewRoutes: readonly Route[] = [page('/', overviewPage)];

const [organizationsShown, newestShown] = [5, 10];

async function overviewPage(visit: Visit): Promise<Page> {
  const { api, session, platform } = visit;
  const operators = `${platform.config.api.publicUrl}/admin`;
  // A session of a provider reaches one organization, and its provider must learn of no other.
  const required = session.organization === undefined ? await findRequiredSignIns(session.user._id) : [];
  const { items, count } = await api.get<ListPage<Organization>>(apiPath`/orgs${{ limit: 100 }}`);
  const shown = await Promise.all(
    items.slice(0, organizationsShown).map(async (organization) => inOrganization(organization, visit)),
  );
  return {
    title: 'Overview',
    main: html`${session.user.isOperator && html`<p><a href="${operators}">The operator's area</a> has its own sign-in.</p>`}
<h2>Organizations</h2>
${required.map(signInNote)}
${items.length === 0 && required.length === 0 && html`<p>You are in no organization.</p>`}
<ul>${items.map(({ id, title }) => html`<li><a href="/organizations/${id}">${title}</a></li>`)}</ul>
${count !== undefined && count > items.length && html`<p>${items.length} of ${count} are shown.</p>`}
${shown}`,
  };
}

function signInNote({ organization, provider, label }: RequiredSignIn): Html {
  return html`<p class="note">${organization} requires single sign-on. <a href="/sign-in/saml/${provider}">Continue with ${label}</a></p>`;
}

/** The newest spaces of an organization, and the change requests that the user has begun there. */
async function inOrganization({ id, title }: Organization, { api, session }: Visit): Promise<Html> {
  const [spaces, changeRequests] = await Promise.all([
    api.get<ListPage<Space>>(apiPath`/orgs/${id}/spaces${{ limit: newestShown }}`),
    api.get<ListPage<ChangeRequest>>(
      `${apiPath`/orgs/${id}/change-requests${{ creator: session.user._id, orderBy: 'updatedAt', limit: newestShown }}`}&status=draft&status=open`,
    ),
  ]);
  return html`<h2>In ${title}</h2>
${table<Space>(
  { id: `spaces-${id}`, caption: `Newest spaces of ${title}`, none: 'It has no spaces that you may see.' },
  [
    { name: 'Space', cell: spaceLink },
    { name: 'Updated', cell: ({ updatedAt }) => moment(new Date(updatedAt)) },
    { name: 'Open change requests', isNumber: true, cell: ({ changeRequestsOpen }) => changeRequestsOpen },
  ],
  spaces.items,
)}
<h3>Your open change requests in ${title}</h3>
${changeRequests.items.length === 0 && html`<p>There are none.</p>`}
<ul>${changeRequests.items.map((one) => html`<li>${changeRequestLink(one)}</li>`)}</ul>`;
}
