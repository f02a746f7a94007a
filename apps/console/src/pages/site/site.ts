import type { Organization, Site, SiteStructure } from '@bindery/contract';
import { facts, html, type Html, type Value } from '@bindery/html';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import {
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPlace,
} from '../organization/frame.ts';
import { inSite, loadSite, siteApi, sitePath, sitePlace } from './frame.ts';

const visibilities = [
  ['public', 'Everybody, also search engines'],
  ['unlisted', 'Everybody, but no search engine'],
  ['share-link', 'Visitors with a share link'],
  ['visitor-auth', 'Visitors who have signed in'],
] as const;

const create: ApiForm = {
  path: `${organizationPlace}/new-site`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${organizationApi(params)}/sites`,
    json: { title: textIn(fields, 'title') ?? '', visibility: textIn(fields, 'visibility') },
  }),
  example: { title: 'Documentation', visibility: 'public' },
};

const update: ApiForm = {
  path: `${sitePlace}/settings`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: siteApi(params),
    json: { title: textIn(fields, 'title') ?? '', basename: textIn(fields, 'basename') },
  }),
  example: { title: 'Documentation', basename: 'docs' },
};

const setVisibility: ApiForm = {
  path: `${sitePlace}/visibility`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: siteApi(params),
    json: { visibility: textIn(fields, 'visibility') },
  }),
  example: { visibility: 'public' },
};

const publish: ApiForm = {
  path: `${sitePlace}/publish`,
  request: (params) => ({ method: 'POST', path: `${siteApi(params)}/publish` }),
};

const unpublish: ApiForm = {
  path: `${sitePlace}/unpublish`,
  request: (params) => ({ method: 'POST', path: `${siteApi(params)}/unpublish` }),
  confirm: 'Nobody can read the site until it is published again',
};

const remove: ApiForm = {
  path: `${sitePlace}/delete`,
  request: (params) => ({ method: 'DELETE', path: siteApi(params) }),
  confirm: 'Delete the site permanently; its spaces stay',
};

const preview: ApiForm = {
  path: `${sitePlace}/preview`,
  request: (params) => ({ method: 'GET', path: `${siteApi(params)}/publishing/preview` }),
};

export const siteRoutes: readonly Route[] = [
  page(create.path, newSite),
  formRoute<Site>(create, {
    next: ({ params }, { body }) => ({ location: sitePath({ ...params, site: body.id }) }),
    again: newSite,
  }),
  page(sitePlace, sitePage),
  ...[update, setVisibility, publish, unpublish].map((form) =>
    formRoute(form, { next: ({ params }) => ({ location: sitePath(params) }), again: sitePage }),
  ),
  formRoute<{ url: string }>(preview, {
    next: (visit, { body }) => previewPage(visit, body),
    again: sitePage,
  }),
  formRoute(remove, {
    next: ({ params }) => ({ location: `/organizations/${params['organization']}` }),
    again: sitePage,
  }),
];

async function newSite(visit: Visit, tried?: Tried): Promise<Page> {
  const organization: Organization = await loadOrganization(visit);
  const isOffered = organization.permissions.createContent && mayUse(visit.session, 'write');
  return inOrganization(organization, visit, {
    title: 'Create a site',
    main: isOffered
      ? formOf(create, {
          visit,
          tried,
          button: 'Create the site',
          fields: html`${textField({ name: 'title', label: 'Title', isRequired: true }, { value: typed(tried, create, 'title') })}
${choiceField({ name: 'visibility', label: 'For' }, { options: visibilities, value: typed(tried, create, 'visibility', 'public') })}`,
        })
      : html`<p>You may not create sites here.</p>`,
  });
}

async function sitePage(visit: Visit, tried?: Tried): Promise<Page> {
  const site = await loadSite(visit);
  const { structure } = await visit.api.get<SiteStructure>(`${siteApi(visit.params)}/structure`);
  const { title, published, visibility, siteSpaces, hostname, urls, permissions } = site;
  const audience = visibilities.find(([one]) => one === visibility)?.[1];
  return inSite(site, visit, {
    title,
    main: html`${facts([
      ['State', published ? 'published' : 'not published'],
      ['For', audience],
      ['Address', urls.published !== undefined && html`<a href="${urls.published}">${urls.published}</a>`],
      ['Hostname', hostname],
      ['Spaces', siteSpaces],
      ['Parts', structure.length],
    ])}
${permissions.edit && mayUse(visit.session, 'write') && editForms(visit, { site, tried })}
${permissions.admin && adminForms(visit, { site, tried })}`,
  });
}

type Given = { site: Site; tried: Tried | undefined };

function editForms(visit: Visit, { site, tried }: Given): Html {
  const value = (name: string, otherwise: string) => typed(tried, update, name, otherwise);
  return html`<h2>Preview</h2>
${formOf(preview, { visit, button: 'Get an address for an hour', isMain: false })}
<h2>Settings</h2>
${formOf(update, {
  visit,
  tried,
  button: 'Save the settings',
  fields: html`${textField({ name: 'title', label: 'Title', isRequired: true }, { value: value('title', site.title) })}
${textField({ name: 'basename', label: 'Its segment of the address' }, { value: value('basename', site.basename) })}`,
})}`;
}

function adminForms(visit: Visit, { site, tried }: Given): Value {
  const value = typed(tried, setVisibility, 'visibility', site.visibility);
  return html`<h2>Visibility</h2>
${formOf(setVisibility, {
  visit,
  tried,
  button: 'Save the visibility',
  fields: choiceField({ name: 'visibility', label: 'For' }, { options: visibilities, value }),
})}
<h2>Publication</h2>
${
  site.published
    ? formOf(unpublish, { visit, button: 'Unpublish', isMain: false })
    : formOf(publish, { visit, button: 'Publish' })
}
<h2>Delete it</h2>
${formOf(remove, { visit, button: 'Delete the site', isMain: false })}`;
}

/** Its address is a secret for an hour, so that it stands on this page only. */
async function previewPage(visit: Visit, { url }: { url: string }): Promise<Page> {
  return inSite(await loadSite(visit), visit, {
    title: 'Preview',
    main: html`<p><a href="${url}">Open the preview</a>. Everybody with its address can read the site for an hour.</p>`,
  });
}
