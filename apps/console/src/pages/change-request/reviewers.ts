import type { Member, RequestedReviewer, Space } from '@bindery/contract';
import { html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { orMissing } from '../../api/orMissing.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { searchForm } from '../../layout/searchForm.ts';
import { mayUse } from '../../session/mayUse.ts';
import { loadContent } from '../content.ts';

type Reviewers = ListPage<RequestedReviewer>;

const [listed, named, offered] = [100, 10, 100];

const place = '/spaces/:space/change-requests/:number/reviewers';
const reviewersApi = ({ space = '', number = '' }: Record<string, string>) =>
  apiPath`/spaces/${space}/change-requests/${number}/requested-reviewers`;

const ask: ApiForm = {
  path: place,
  request: (params, fields) => ({
    method: 'POST',
    path: reviewersApi(params),
    json: { users: [textIn(fields, 'user') ?? ''] },
  }),
  example: { user: 'USER' },
};

const withdraw: ApiForm = {
  path: `${place}/withdraw`,
  request: (params, fields) => ({
    method: 'DELETE',
    path: `${reviewersApi(params)}${apiPath`/${textIn(fields, 'reviewer') ?? 'USER'}`}`,
  }),
};

export const reviewerRoutes: readonly Route[] = [
  page(place, reviewersPage),
  ...[ask, withdraw].map((form) =>
    formRoute(form, {
      next: ({ params }) => ({
        location: `/spaces/${params['space']}/change-requests/${params['number']}/reviewers`,
      }),
      again: reviewersPage,
    }),
  ),
];

/** The latest requested reviewers of a change request. @throws ApiFailure */
export async function loadRequested({ api, params }: Visit): Promise<Reviewers> {
  return api.get(`${reviewersApi(params)}?limit=${listed}`);
}

/** Whether the caller may review without a role for it, because somebody asked. */
export function isAsked({ items }: Reviewers, { session }: Visit): boolean {
  return items.some(({ user }) => user.id === session.user._id);
}

/** Names of requested reviewers, with a link to all. */
export function requestedLine({ items, count = items.length }: Reviewers, { params }: Visit): Html {
  const path = `/spaces/${params['space']}/change-requests/${params['number']}/reviewers`;
  const shown = items.slice(0, named).map(({ user }) => user.displayName);
  const others = count > shown.length ? ` and ${count - shown.length} more` : '';
  return html`<p>${count > 0 && `Requested of ${shown.join(', ')}${others}. `}<a href="${path}">Requested reviewers</a></p>`;
}

async function reviewersPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params, query, session } = visit;
  const { space, changeRequest, above, path } = await loadContent(visit);
  const reviewers = await api.get<Reviewers>(
    withQuery(reviewersApi(params), { limit: listed, page: placeIn(query) }),
  );
  const mayAsk = space.permissions.review && mayUse(session, 'write') && changeRequest?.status !== 'merged';
  const here = `${path}/reviewers`;
  return {
    title: 'Requested reviewers',
    above,
    main: html`${reviewersTable(reviewers.items)}
${furtherLink(reviewers, { path: here, query, text: 'Further reviewers' })}
${mayAsk && html`${await askForm(visit, { space, tried, here })}${withdrawForm(visit, { reviewers, tried })}`}`,
  };
}

function reviewersTable(items: readonly RequestedReviewer[]): Html {
  return table<RequestedReviewer>(
    { id: 'reviewers', caption: 'Latest request first. Times are UTC.', none: 'Nobody was asked.' },
    [
      { name: 'Name', cell: ({ user }) => nameOf(user) },
      { name: 'Requested by', cell: ({ requestedBy }) => requestedBy.displayName },
      { name: 'Requested', cell: ({ createdAt }) => moment(new Date(createdAt)) },
    ],
    items,
  );
}

/** Offers the members that a search found: an organization may have too many for one list. */
async function askForm(
  visit: Visit,
  { space, tried, here }: { space: Space; tried: Tried | undefined; here: string },
): Promise<Value> {
  const search = visit.query.get('search') || undefined;
  // A token for single spaces does not reach the members of the organization.
  const members = await orMissing(
    visit.api.get<ListPage<Member>>(
      apiPath`/orgs/${space.organization}/members${{ limit: offered, search, sort: 'name', order: 'asc' }}`,
    ),
  );
  if (!members) return undefined;
  const options = members.items.map(({ id, user }) => [id, nameOf(user)] as const);
  const found = { name: 'search', label: 'Find members', hint: `The first ${offered} are offered below.` };
  return html`<h2>Ask for a review</h2>
${searchForm(here, { fields: textField(found, { value: search }), button: 'Find' })}
${
  options.length === 0
    ? html`<p>There are none.</p>`
    : formOf(ask, {
        visit,
        tried,
        button: 'Ask for a review',
        fields: choiceField(
          { name: 'user', label: 'Member', hint: 'A member who was asked before is asked again.' },
          { options, value: typed(tried, ask, 'user') },
        ),
      })
}`;
}

function withdrawForm(
  visit: Visit,
  { reviewers: { items }, tried }: { reviewers: Reviewers; tried: Tried | undefined },
): Value {
  const options = items.map(({ user }) => [user.id, nameOf(user)] as const);
  if (options.length === 0) return undefined;
  return html`<h2>Withdraw a request</h2>
${formOf(withdraw, {
  visit,
  tried,
  button: 'Withdraw',
  isMain: false,
  fields: choiceField(
    { name: 'reviewer', label: 'Requested reviewer' },
    { options, value: typed(tried, withdraw, 'reviewer') },
  ),
})}`;
}

function nameOf({ displayName, email }: Member['user']): string {
  return email === undefined ? displayName : `${displayName}, ${email}`;
}
