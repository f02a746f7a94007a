import type { Site } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { Visit } from '../../http/route.ts';
import type { Page } from '../../layout/page.ts';
import { subpages } from '../../layout/subpages.ts';
import { organizationPlace } from '../organization/frame.ts';

/** Where the pages of a site are. */
export const sitePlace = `${organizationPlace}/sites/:site`;

/** The path of a site in the API. */
export function siteApi({ organization = '', site = '' }: Record<string, string>): string {
  return apiPath`/orgs/${organization}/sites/${site}`;
}

/** The path of a site in the console. */
export function sitePath({ organization = '', site = '' }: Record<string, string>): string {
  return `/organizations/${organization}/sites/${site}`;
}

/** Loads the site of a path. @throws ApiFailure */
export async function loadSite({ api, params }: Visit): Promise<Site> {
  return api.get<Site>(siteApi(params));
}

/** A page of a site, with links to the others that the caller may use. */
export function inSite(
  site: Site,
  { params, url }: Visit,
  { title, main }: { title: string; main: Value },
): Page {
  const path = sitePath(params);
  const pages = [
    { name: 'Site', path },
    { name: 'Structure', path: `${path}/structure` },
    ...(site.permissions.edit
      ? [
          { name: 'Customization', path: `${path}/customization` },
          { name: 'Feedback', path: `${path}/feedback` },
        ]
      : []),
    { name: 'Redirects', path: `${path}/redirects` },
    ...(site.permissions.admin
      ? [
          { name: 'Share links', path: `${path}/share-links` },
          { name: 'Hostname', path: `${path}/hostname` },
          { name: 'Permissions', path: `${path}/permissions` },
        ]
      : []),
  ];
  return {
    title,
    above: [
      { name: 'Organization', path: `/organizations/${params['organization']}` },
      { name: site.title, path },
    ],
    main: html`${subpages('Site', pages, url)}${main}`,
  };
}
