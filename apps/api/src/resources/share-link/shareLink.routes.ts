import { ApiError, CreateShareLink, Id, notFound, ShareLink, text, UpdateShareLink } from '@bindery/contract';
import {
  ShareLink as ShareLinkModel,
  singleWrite,
  type OrganizationRecord,
  type ShareLinkRecord,
  type SiteRecord,
} from '@bindery/models';
import { newShareLink, shareKeyOf, siteUrl } from '@bindery/publishing';
import { z } from 'zod';
import type { Platform } from '../../platform.ts';
import { changeRecord } from '../../records/changeRecord.ts';
import { containsText } from '../../records/containsText.ts';
import { findPage } from '../../records/findPage.ts';
import { changeStructure } from '../site/changeStructure.ts';
import { inSite } from '../site/site.scope.ts';

/** Limits the secrets that one list decrypts. */
const maxShareLinks = 100;

const inShareLink = inSite.scope({
  name: 'ShareLink',
  path: '/share-links/:shareLinkId',
  params: { shareLinkId: Id },
  load: async ({ site, params }) => {
    const shareLink = await ShareLinkModel.findOne({
      _id: params.shareLinkId,
      site: site._id,
    }).lean<ShareLinkRecord>();
    if (!shareLink) throw notFound('share link', params.shareLinkId);
    return { shareLink };
  },
  permissions: () => ({}),
});

export const shareLinkRoutes = [
  inSite.list(
    '/share-links',
    {
      operationId: 'listSiteShareLinks',
      summary: 'List the share links of a site',
      permission: 'site.admin',
      tags: ['ShareLink'],
      query: z.object({
        search: text(0, 50).optional().describe('Only links whose name contains this text.'),
      }),
      item: ShareLink,
    },
    async ({ platform, organization, site, query }) => {
      const filter = { site: site._id, ...(query.search && { name: containsText(query.search) }) };
      const { rows, ...page } = await findPage<ShareLinkRecord>(ShareLinkModel, filter, query);
      return { ...page, items: rows.map((link) => presentShareLink(link, { platform, site, organization })) };
    },
  ),

  inSite.post(
    '/share-links',
    {
      operationId: 'createSiteShareLink',
      summary: 'Create a share link with a new secret',
      description:
        'While the visibility of the site is `share-link`, whoever has the URL may read it once it is published. ' +
        `A site has at most ${maxShareLinks} links.`,
      permission: 'site.admin',
      tags: ['ShareLink'],
      body: CreateShareLink,
      response: ShareLink,
      status: 201,
      idempotent: true,
    },
    async ({ platform, organization, site, actor, body }) => {
      const link = newShareLink(platform.config.secrets, site, { name: body.name, createdBy: actor.user.id });
      await changeStructure(site, async (_site, session) => {
        const count = await ShareLinkModel.countDocuments({ site: site._id }).session(session);
        if (count >= maxShareLinks) throw full();
        await ShareLinkModel.create([link], { session });
      });
      return presentShareLink(link, { platform, site, organization });
    },
  ),

  inShareLink.patch(
    '',
    {
      operationId: 'updateSiteShareLinkById',
      summary: 'Rename, enable or disable a share link',
      description: 'A link that is not `active` gives no access, including to visitors who already used it.',
      permission: 'site.admin',
      body: UpdateShareLink.default({}),
      response: ShareLink,
    },
    async ({ platform, organization, site, shareLink, body }) => {
      const { name = shareLink.name, active = shareLink.isActive } = body;
      const isSame = name === shareLink.name && active === shareLink.isActive;
      const changed = isSame
        ? shareLink
        : await changeRecord<ShareLinkRecord>(ShareLinkModel, shareLink, { name, isActive: active });
      return presentShareLink(changed, { platform, site, organization });
    },
  ),

  inShareLink.delete(
    '',
    {
      operationId: 'deleteSiteShareLinkById',
      summary: 'Delete a share link',
      permission: 'site.admin',
    },
    async ({ shareLink }) => {
      await singleWrite((session) => ShareLinkModel.deleteOne({ _id: shareLink._id }, { session }));
    },
  ),
];

function presentShareLink(
  link: ShareLinkRecord,
  {
    platform: { config, links },
    site,
    organization,
  }: { platform: Platform; site: SiteRecord; organization: OrganizationRecord },
): ShareLink {
  return {
    object: 'share-link',
    id: link._id,
    name: link.name,
    active: link.isActive,
    createdAt: link.createdAt.toISOString(),
    urls: { published: siteUrl(site, { links, organization, shareKey: shareKeyOf(config.secrets, link) }) },
  };
}

function full(): ApiError {
  return new ApiError('conflict', `A site has at most ${maxShareLinks} share links.`, {
    action: 'Delete one that is no longer used.',
  });
}
