import { SitePreview, SitePreviewQuery, SitePublishingAuth, UpdateSitePublishingAuth } from '@bindery/contract';
import { PublishingAuth, withTransaction, type PublishingAuthRecord, type SiteRecord } from '@bindery/models';
import { changeRecord } from '../changeRecord.ts';
import { inSite } from '../site/site.scope.ts';
import { versionOf } from '../versionOf.ts';
import { previewSite } from './previewSite.ts';
import { loadPublishingAuth, privateKeyOf, sealedNewKey } from './publishingAuth.ts';

export const publishingAuthRoutes = [
  inSite.get(
    '/publishing/auth',
    {
      operationId: 'getSitePublishingAuthById',
      summary: 'Get how the visitors of a site prove who they are',
      description:
        'The private key is made when it is asked for the first time. With it, your own service signs a token for each visitor: a JWT (HS256) ' +
        'with the visitor’s claims, that ends at most 24 hours after it was made.',
      permission: 'site.admin',
      response: SitePublishingAuth,
      etag: true,
    },
    async ({ site, reply }) => {
      const auth = await loadPublishingAuth(site);
      reply.version(auth.version);
      return presentPublishingAuth(auth);
    },
  ),

  inSite.patch(
    '/publishing/auth',
    {
      operationId: 'updateSitePublishingAuthById',
      summary: 'Change where the visitors of a site sign in and out',
      permission: 'site.admin',
      body: UpdateSitePublishingAuth.default({}),
      response: SitePublishingAuth,
      etag: true,
      version,
    },
    async ({ site, body, reply }) => {
      const auth = await loadPublishingAuth(site);
      const fields = {
        ...(body.backend !== undefined && { backend: body.backend }),
        ...(body.fallbackURL !== undefined && { fallbackUrl: body.fallbackURL ?? undefined }),
        ...(body.logoutURL !== undefined && { logoutUrl: body.logoutURL ?? undefined }),
      };
      const isEmpty = Object.keys(fields).length === 0;
      const changed = isEmpty ? auth : await changeRecord<PublishingAuthRecord>(PublishingAuth, auth, fields);
      reply.version(changed.version);
      return presentPublishingAuth(changed);
    },
  ),

  inSite.post(
    '/publishing/auth/regenerate',
    {
      operationId: 'regenerateSitePublishingAuthById',
      summary: 'Replace the private key of a site by a new one',
      description: 'Tokens signed with the old key are no longer valid. Visitors who came with one have to sign in again.',
      permission: 'site.admin',
      response: SitePublishingAuth,
      idempotent: true,
      version,
    },
    async ({ site }) => {
      const auth = await loadPublishingAuth(site);
      const sealedKey = sealedNewKey(site);
      return presentPublishingAuth(
        await withTransaction(async (session) => changeRecord<PublishingAuthRecord>(PublishingAuth, auth, { sealedKey }, { session })),
      );
    },
  ),

  inSite.get(
    '/publishing/preview',
    {
      operationId: 'getSitePublishingPreviewById',
      summary: 'Get a URL that shows a site before it is published',
      description:
        'Whoever has the URL sees the site for one hour as a visitor with these claims does, whether it is published or not: ' +
        'so it takes the right to change what the site shows.',
      permission: 'site.edit',
      query: SitePreviewQuery,
      response: SitePreview,
    },
    async ({ organization, site, query }) => ({ url: await previewSite({ organization, site }, query) }),
  ),
];

/** It has a version of its own beside that of its site. */
function version({ site }: { site: SiteRecord }) {
  return versionOf(PublishingAuth, { _id: site._id });
}

function presentPublishingAuth(auth: PublishingAuthRecord): SitePublishingAuth {
  const { backend, fallbackUrl, logoutUrl } = auth;
  return {
    object: 'publishing-auth',
    backend,
    privateKey: privateKeyOf(auth),
    ...(fallbackUrl !== undefined && { fallbackURL: fallbackUrl }),
    ...(logoutUrl !== undefined && { logoutURL: logoutUrl }),
  };
}
