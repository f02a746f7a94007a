import type { SiteRedirect, SiteRedirectDestination } from '@bindery/contract';
import { html, table, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { checkField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { inSite, loadSite, siteApi, sitePath, sitePlace } from './frame.ts';
import { requireSeen, seenField, type SeenForm } from './seenForm.ts';

const place = `${sitePlace}/redirects`;

const create: ApiForm = {
  path: place,
  request: (params, fields) => ({
    method: 'POST',
    path: `${siteApi(params)}/redirects`,
    json: {
      source: textIn(fields, 'source') ?? '',
      destination: { kind: 'external', url: textIn(fields, 'url') ?? '' },
      permanent: fields.has('permanent'),
    },
  }),
  example: { source: '/old', url: 'https://example.org/new' },
};

const redirectApi = ({ redirect = '', ...params }: Record<string, string>) =>
  `${siteApi(params)}${apiPath`/redirects/${redirect}`}`;

const remove: SeenForm = {
  path: `${place}/:redirect/delete`,
  object: redirectApi,
  request: (params) => ({ method: 'DELETE', path: redirectApi(params) }),
  confirm: 'The path then leads to no page',
};

const ways = {
  next: ({ params }: Visit) => ({ location: `${sitePath(params)}/redirects` }),
  again: redirectsPage,
};

export const redirectRoutes: readonly Route[] = [
  page(place, redirectsPage),
  formRoute(create, ways),
  formRoute(remove, {
    ...ways,
    before: requireSeen<SiteRedirect>(remove, {
      what: 'this redirect',
      look: async (_visit, redirect) => seenOf(redirect),
    }),
  }),
];

async function redirectsPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params, query } = visit;
  const site = await loadSite(visit);
  const list = await api.get<ListPage<SiteRedirect>>(
    withQuery(`${siteApi(params)}/redirects`, {
      limit: 50,
      orderBy: 'source',
      page: placeIn(query),
    }),
  );
  const mayEdit = site.permissions.edit && mayUse(visit.session, 'write');
  return inSite(site, visit, {
    title: 'Redirects',
    main: html`${redirectTable(visit, { redirects: list.items, mayEdit })}
${furtherLink(list, { path: `${sitePath(params)}/redirects`, query, text: 'Further redirects' })}
${
  mayEdit &&
  html`<h2>Create a redirect</h2>
<p>It counts where the site has no page. Redirects to pages are made through the API.</p>
${formOf(create, { visit, tried, button: 'Create the redirect', fields: fieldsOf(tried) })}`
}`,
  });
}

function seenOf({ createdAt, updatedAt }: SiteRedirect): string {
  return updatedAt ?? createdAt;
}

function redirectTable(
  visit: Visit,
  { redirects, mayEdit }: { redirects: readonly SiteRedirect[]; mayEdit: boolean },
): Html {
  const deleteForm = (redirect: SiteRedirect) =>
    formOf(remove, {
      visit,
      params: { redirect: redirect.id },
      button: `Delete ${redirect.source}`,
      fields: seenField(seenOf(redirect)),
      isMain: false,
    });
  return table<SiteRedirect>(
    { id: 'redirects', caption: 'By path', none: 'There are none.' },
    [
      { name: 'Path', cell: ({ source }) => html`<code>${source}</code>` },
      { name: 'Leads to', cell: ({ destination }) => textOf(destination) },
      { name: 'Permanent', cell: ({ permanent }) => (permanent ? 'yes' : 'no') },
      ...(mayEdit ? [{ name: 'Delete', cell: deleteForm }] : []),
    ],
    redirects,
  );
}

function textOf(destination: SiteRedirectDestination): string {
  if (destination.kind === 'external') return destination.url;
  if (destination.kind === 'site-page') return `page ${destination.pageId}`;
  if (destination.kind === 'site-section') return `section ${destination.siteSectionId}`;
  return `site space ${destination.siteSpaceId}`;
}

function fieldsOf(tried: Tried | undefined): Html {
  const value = (name: string) => typed(tried, create, name);
  return html`${textField({ name: 'source', label: 'Path', hint: 'Such as /old/page; * at the end matches any rest.', isRequired: true }, { value: value('source') })}
${textField({ name: 'url', label: 'URL that it leads to', isRequired: true }, { type: 'url', value: value('url') })}
${checkField({ name: 'permanent', label: 'Permanent' }, tried?.fields.has('permanent') ?? false)}`;
}
