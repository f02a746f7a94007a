import { html, type Html } from '@bindery/html';
import { Organization, Site, type OrganizationRecord, type SiteRecord } from '@bindery/models';
import { siteUrl } from '@bindery/publishing';
import type { Express } from 'express';
import type { Platform } from '../platform.ts';
import { areaPolicy, writePage } from './area/layout.ts';

const [maxRead, maxShown] = [100, 20];

/**
 * Mounts `/`, for people who open the address of the API in a browser: links to the sites, the reference and
 * the pages for operators. Clients that do not ask for HTML get 404, as at each unknown path.
 */
export function mountHomePage(app: Express, platform: Pick<Platform, 'links'>): void {
  app.get(
    '/',
    (request, _response, next) => next(request.accepts(['json', 'html']) === 'html' ? undefined : 'route'),
    areaPolicy,
    async (_request, response) => {
      const sites = await listedSites(platform);
      const main = html`<p>This is the API of a documentation platform.</p>
${sites.length > 0 && html`<h2>Sites</h2><ul>${sites}</ul>`}
<h2>For scripts</h2>
<ul>
<li><a href="/docs">Reference of all operations</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
</ul>
<h2>For operators</h2>
<ul>
<li><a href="/admin/jobs">Jobs, workers and storage</a></li>
<li><a href="/admin/queues">Queues</a></li>
<li><a href="/readyz">Health</a></li>
</ul>`;
      response.type('html').send(writePage({ title: 'Bindery', main }));
    },
  );
}

/**
 * The public sites of an installation with one organization. With several, each would be named to the readers
 * of the others.
 */
async function listedSites({ links }: Pick<Platform, 'links'>): Promise<Html[]> {
  const [organization, another] = await Organization.find().limit(2).lean<OrganizationRecord[]>();
  if (!organization || another) return [];
  const newest = await Site.find({ organization: organization._id })
    .sort({ createdAt: -1, _id: -1 })
    .limit(maxRead)
    .lean<SiteRecord[]>();
  return newest
    .filter(({ isPublished, visibility }) => isPublished && visibility === 'public')
    .slice(0, maxShown)
    .map((site) => html`<li><a href="${siteUrl(site, { links, organization })}">${site.title}</a></li>`);
}
