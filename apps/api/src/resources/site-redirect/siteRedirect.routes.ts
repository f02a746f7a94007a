import {
  ApiError,
  BulkUpsertSiteRedirects,
  CreateSiteRedirect,
  Id,
  notFound,
  ShareKey,
  SiteRedirect,
  SiteRedirectListQuery,
  SiteRedirectLookup,
  SiteRedirectResults,
  text,
  UpdateSiteRedirect,
} from '@bindery/contract';
import {
  singleWrite,
  SiteRedirect as SiteRedirectModel,
  type MemberRecord,
  type OrganizationRecord,
  type SiteRecord,
  type SiteRedirectRecord,
} from '@bindery/models';
import { findRedirect, loadSiteTree, siteContext, type SiteContext } from '@bindery/publishing';
import { z } from 'zod';
import { readableBy } from '../../permissions/access.ts';
import type { Platform } from '../../platform.ts';
import { containsText } from '../../records/containsText.ts';
import { findPage, newestFirst, type Order } from '../../records/findPage.ts';
import { versionOf } from '../../records/versionOf.ts';
import { findShareKey } from '../site/shareKey.ts';
import { inReadableSite, inSite } from '../site/site.scope.ts';
import { loadVisibleTree } from '../site/siteView.ts';
import { bulkRedirects } from './bulkRedirects.ts';
import { createRedirect, maxRedirects, updateRedirect } from './changeRedirects.ts';

const inSiteRedirect = inSite.scope({
  name: 'SiteRedirect',
  path: '/redirects/:siteRedirectId',
  params: { siteRedirectId: Id },
  load: async ({ site, params }) => {
    const redirect = await SiteRedirectModel.findOne({
      _id: params.siteRedirectId,
      site: site._id,
    }).lean<SiteRedirectRecord>();
    if (!redirect) throw notFound('redirect', params.siteRedirectId);
    return { redirect };
  },
  permissions: () => ({}),
  version: ({ redirect }) => versionOf(SiteRedirectModel, { _id: redirect._id }),
});

const orders: Record<'createdAt' | 'updatedAt' | 'source', Order> = {
  createdAt: newestFirst,
  updatedAt: [
    ['touchedAt', -1],
    ['_id', -1],
  ],
  source: [
    ['source', 1],
    ['_id', 1],
  ],
};

export const siteRedirectRoutes = [
  inSite.list(
    '/redirects',
    {
      operationId: 'listSiteRedirects',
      summary: 'List the redirects of a site',
      permission: 'site.view',
      tags: ['SiteRedirect'],
      query: SiteRedirectListQuery,
      item: SiteRedirect,
    },
    async ({ site, query: { search, draft, orderBy, ...query } }) => {
      const filter = { site: site._id, isDraft: draft, ...(search && { source: containsText(search) }) };
      const { rows, ...page } = await findPage<SiteRedirectRecord>(SiteRedirectModel, filter, {
        ...query,
        order: orders[orderBy],
      });
      return { ...page, items: rows.map(presentSiteRedirect) };
    },
  ),

  inSite.post(
    '/redirects',
    {
      operationId: 'createSiteRedirect',
      summary: 'Create a redirect from a path of a site',
      description:
        'It applies where the site has no page. A path has at most one redirect and one draft; a redirect that leads back to itself is refused. ' +
        `A site has at most ${maxRedirects} redirects.`,
      permission: 'site.edit',
      tags: ['SiteRedirect'],
      body: CreateSiteRedirect,
      response: SiteRedirect,
      status: 201,
      idempotent: true,
    },
    async (at) => presentSiteRedirect(await createRedirect(await memberContext(at), at.body)),
  ),

  inSite.put(
    '/redirects',
    {
      operationId: 'bulkUpsertSiteRedirects',
      summary: 'Create, change, delete or publish many redirects at once',
      description:
        'Operations are applied in order and independently of each other; the result of a failed one contains its error. `publish` ' +
        'replaces the live redirect of a source with its draft.',
      permission: 'site.edit',
      tags: ['SiteRedirect'],
      body: BulkUpsertSiteRedirects,
      response: SiteRedirectResults,
      idempotent: true,
    },
    async (at) => ({ results: await bulkRedirects(await memberContext(at), at.body.redirects) }),
  ),

  inSiteRedirect.get(
    '',
    {
      operationId: 'getSiteRedirectById',
      summary: 'Get a redirect of a site',
      permission: 'site.view',
      response: SiteRedirect,
      etag: true,
    },
    async ({ redirect, reply }) => {
      reply.version(redirect.version);
      return presentSiteRedirect(redirect);
    },
  ),

  inSiteRedirect.patch(
    '',
    {
      operationId: 'updateSiteRedirectById',
      summary: 'Change a redirect of a site',
      permission: 'site.edit',
      body: UpdateSiteRedirect.default({}),
      response: SiteRedirect,
      etag: true,
    },
    async (at) => {
      const changed = await updateRedirect(await memberContext(at), at.redirect, at.body);
      at.reply.version(changed.version);
      return presentSiteRedirect(changed);
    },
  ),

  inSiteRedirect.delete(
    '',
    {
      operationId: 'deleteSiteRedirectById',
      summary: 'Delete a redirect of a site',
      permission: 'site.edit',
    },
    async ({ redirect }) => {
      await singleWrite((session) => SiteRedirectModel.deleteOne({ _id: redirect._id }, { session }));
    },
  ),

  inReadableSite.get(
    '/redirect',
    {
      operationId: 'getSiteRedirectBySource',
      summary: 'Resolve a path of a site that has no page',
      description:
        'Uses the redirects of the site, then those in the `.gitbook.yaml` of the repositories of its spaces. Answers 404 if no ' +
        'redirect applies, or if the caller cannot view the target.',
      permission: 'site.view',
      tags: ['SiteRedirect'],
      query: z.object({
        source: text(1, 2048)
          .regex(/^\//, 'must begin with a slash')
          .describe('The path below the URL of the site.'),
        shareKey: ShareKey.describe(
          'For sites published by share links: the key with which published URLs are resolved.',
        ),
      }),
      response: SiteRedirectLookup,
      etag: true,
    },
    async ({ platform: { config, links }, organization, site, member, reader, query }) => {
      const { visitor } = reader;
      const tree = await loadVisibleTree({ site, visitor });
      const shareKey = await findShareKey(config.secrets, { site, shareKey: query.shareKey });
      const found = await findRedirect(
        query.source,
        siteContext({
          links,
          organization,
          site,
          tree,
          visitor,
          shareKey,
          mayRead: member && readableBy(member),
        }),
      );
      if (!found) throw new ApiError('not_found', 'No redirect leads on from this path.');
      return { redirect: presentSiteRedirect(found.redirect), target: found.target };
    },
  ),
];

async function memberContext(at: {
  platform: Platform;
  organization: OrganizationRecord;
  site: SiteRecord;
  member: MemberRecord;
}): Promise<SiteContext> {
  const { platform, organization, site, member } = at;
  return siteContext({
    links: platform.links,
    organization,
    site,
    mayRead: readableBy(member),
    tree: await loadSiteTree(site._id),
  });
}

function presentSiteRedirect(redirect: SiteRedirectRecord): SiteRedirect {
  const { source, isDraft, captureWildcard, permanent, destination, createdAt, updatedAt } = redirect;
  return {
    object: 'site-redirect',
    id: redirect._id,
    source,
    draft: isDraft,
    captureWildcard,
    permanent,
    destination,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt?.toISOString(),
  };
}
