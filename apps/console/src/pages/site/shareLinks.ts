import type { ShareLink } from '@bindery/contract';
import { html, moment, table, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { inSite, loadSite, siteApi, sitePath, sitePlace } from './frame.ts';

const place = `${sitePlace}/share-links`;

const create: ApiForm = {
  path: place,
  request: (params, fields) => ({
    method: 'POST',
    path: `${siteApi(params)}/share-links`,
    json: { name: textIn(fields, 'name') ?? '' },
  }),
  example: { name: 'Partners' },
};

const revoke: ApiForm = {
  path: `${place}/:shareLink/delete`,
  request: ({ shareLink = '', ...params }) => ({
    method: 'DELETE',
    path: `${siteApi(params)}${apiPath`/share-links/${shareLink}`}`,
  }),
  confirm: 'It no longer opens the site',
};

export const shareLinkRoutes: readonly Route[] = [
  page(place, shareLinksPage),
  ...[create, revoke].map((form) =>
    formRoute(form, {
      next: ({ params }) => ({ location: `${sitePath(params)}/share-links` }),
      again: shareLinksPage,
    }),
  ),
];

async function shareLinksPage(visit: Visit, tried?: Tried): Promise<Page> {
  const site = await loadSite(visit);
  const isAdmin = site.permissions.admin;
  return inSite(site, visit, {
    title: 'Share links',
    main: isAdmin
      ? html`${site.visibility !== 'share-link' && html`<p class="note">They open nothing now: the visibility of the site is ${site.visibility}.</p>`}
${await links(visit, tried)}`
      : html`<p>Only admins of the site manage share links.</p>`,
  });
}

async function links(visit: Visit, tried: Tried | undefined): Promise<Html> {
  const { api, params, query } = visit;
  const list = await api.get<ListPage<ShareLink>>(
    withQuery(`${siteApi(params)}/share-links`, { limit: 50, page: placeIn(query) }),
  );
  return html`${table<ShareLink>(
    { id: 'links', caption: 'Newest first. Times are UTC.', none: 'There are none.' },
    [
      { name: 'Name', cell: ({ name }) => name },
      { name: 'Address', cell: ({ urls }) => html`<code>${urls.published}</code>` },
      { name: 'Active', cell: ({ active }) => (active ? 'yes' : 'no') },
      { name: 'Created', cell: ({ createdAt }) => moment(new Date(createdAt)) },
      {
        name: 'Revoke',
        cell: ({ id, name }) =>
          formOf(revoke, { visit, params: { shareLink: id }, button: `Revoke ${name}`, isMain: false }),
      },
    ],
    list.items,
  )}
${furtherLink(list, { path: `${sitePath(params)}/share-links`, query, text: 'Further links' })}
<h2>Create a link</h2>
${formOf(create, {
  visit,
  tried,
  button: 'Create the link',
  fields: textField(
    { name: 'name', label: 'Name', isRequired: true },
    { value: typed(tried, create, 'name') },
  ),
})}`;
}
