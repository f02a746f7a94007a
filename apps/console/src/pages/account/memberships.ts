import type { PendingMembership } from '@bindery/contract';
import { html, moment, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm } from '../../http/apiForm.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { formOf } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { mayActForUser } from '../../session/mayUse.ts';

const place = '/memberships/:asking';

const accept: ApiForm = {
  path: `${place}/accept`,
  request: ({ asking = '' }, fields) => ({
    method: 'POST',
    path: `${apiPath`/user/pending-memberships/${asking}`}/accept`,
    json: fields.has('sso') ? { sso: true } : {},
  }),
};

const decline: ApiForm = {
  path: `${place}/decline`,
  request: ({ asking = '' }) => ({ method: 'DELETE', path: apiPath`/user/pending-memberships/${asking}` }),
};

export const membershipRoutes: readonly Route[] = [
  page('/memberships', membershipsPage),
  formRoute(accept, {
    next: ({ params }) => ({ location: `/organizations/${params['asking']}` }),
    again: membershipsPage,
  }),
  formRoute(decline, { next: () => ({ location: '/memberships' }), again: membershipsPage }),
];

/** The organizations that ask the user to become a member, or to sign in through their provider. */
async function membershipsPage(visit: Visit): Promise<Page> {
  return {
    title: 'Invites of organizations',
    main: mayActForUser(visit.session)
      ? await requests(visit)
      : html`<p>This session cannot join an organization: it is limited. Sign in with a token that holds everything,
or with a sign-in link.</p>`,
  };
}

async function requests(visit: Visit): Promise<Html> {
  const { api, query } = visit;
  const list = await api.get<ListPage<PendingMembership>>(
    withQuery('/user/pending-memberships', { limit: 20, page: placeIn(query) }),
  );
  return html`${list.items.length === 0 && html`<p>There are none.</p>`}
${list.items.map((one) => requestOf(visit, one))}
${furtherLink(list, { path: '/memberships', query, text: 'Further invites' })}`;
}

function requestOf(
  visit: Visit,
  { organization: { id, title }, role, joins, sso, expiresAt }: PendingMembership,
): Html {
  const params = { asking: id };
  return html`<section class="panel"><h2>${title}</h2>
<p>${joins ? `You become a member (${role ?? 'guest'}).` : 'You are a member already.'}
${sso && 'Its SAML provider may then sign in as you.'} The invite ends at ${moment(new Date(expiresAt))}.</p>
${formOf(accept, {
  visit,
  params,
  button: `Accept the invite of ${title}`,
  fields: sso && html`<input type="hidden" name="sso" value="true">`,
})}
${formOf(decline, { visit, params, button: `Decline the invite of ${title}`, isMain: false })}</section>`;
}
