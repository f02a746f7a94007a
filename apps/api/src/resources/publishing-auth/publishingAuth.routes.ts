import {
  SitePreview,
  SitePreviewQuery,
  SitePublishingAuth,
  UpdateSitePublishingAuth,
} from '@bindery/contract';
import { PublishingAuth, withTransaction, type PublishingAuthRecord, type SiteRecord } from '@bindery/models';
import { loadPublishingAuth, privateKeyOf, sealedNewKey } from '@bindery/publishing';
import type { SecretKeys } from '@bindery/runtime';
import { changeRecord } from '../../records/changeRecord.ts';
import { givenFields } from '../../records/givenFields.ts';
import { inSite } from '../site/site.scope.ts';
import { versionOf } from '../../records/versionOf.ts';
import { previewSite } from './previewSite.ts';

export const publishingAuthRoutes = [
  inSite.get(
    '/publishing/auth',
    {
      operationId: 'getSitePublishingAuthById',
      summary: 'Get the settings for signing in visitors of a site',
      description:
        'The private key is created at the first request. Your own service signs a token for each visitor with it: a JWT (HS256) with ' +
        'the claims of the visitor, which expires at most 24 hours after it was issued.',
      permission: 'site.admin',
      response: SitePublishingAuth,
      etag: true,
    },
    async ({ platform: { config }, site, reply }) => {
      const auth = await loadPublishingAuth(config.secrets, site);
      reply.version(auth.version);
      return presentPublishingAuth(auth, config.secrets);
    },
  ),

  inSite.patch(
    '/publishing/auth',
    {
      operationId: 'updateSitePublishingAuthById',
      summary: 'Change the sign-in and sign-out URLs of the visitors of a site',
      permission: 'site.admin',
      body: UpdateSitePublishingAuth.default({}),
      response: SitePublishingAuth,
      etag: true,
      version,
    },
    async ({ platform: { config }, site, body, reply }) => {
      const auth = await loadPublishingAuth(config.secrets, site);
      const { backend, fallbackURL: fallbackUrl, logoutURL: logoutUrl } = body;
      const fields = givenFields({ backend, fallbackUrl, logoutUrl });
      const changed = await changeRecord<PublishingAuthRecord>(PublishingAuth, auth, fields);
      reply.version(changed.version);
      return presentPublishingAuth(changed, config.secrets);
    },
  ),

  inSite.post(
    '/publishing/auth/regenerate',
    {
      operationId: 'regenerateSitePublishingAuthById',
      summary: 'Replace the private key of a site',
      description:
        'Tokens signed with the old key are no longer valid. Visitors who came with one have to sign in again.',
      permission: 'site.admin',
      response: SitePublishingAuth,
      idempotent: true,
      version,
    },
    async ({ platform: { config }, site }) => {
      const auth = await loadPublishingAuth(config.secrets, site);
      const sealedKey = sealedNewKey(config.secrets, site);
      const changed = await withTransaction(async (session) =>
        changeRecord<PublishingAuthRecord>(
          PublishingAuth,
          auth,
          { sealedKey, keyId: undefined },
          { session },
        ),
      );
      return presentPublishingAuth(changed, config.secrets);
    },
  ),

  inSite.get(
    '/publishing/preview',
    {
      operationId: 'getSitePublishingPreviewById',
      summary: 'Get a preview URL of a site',
      description:
        'Anyone with the URL can view the site for one hour as a visitor with these claims, published or not. Requires permission to ' +
        'edit the site, and for `changeRequest` to read its space.',
      permission: 'site.edit',
      query: SitePreviewQuery,
      response: SitePreview,
    },
    async ({ platform, organization, member, site, query }) => ({
      url: await previewSite({ platform, organization, member, site }, query),
    }),
  ),
];

/** The settings have their own version, beside that of the site. */
function version({ site }: { site: SiteRecord }) {
  return versionOf(PublishingAuth, { _id: site._id });
}

function presentPublishingAuth(auth: PublishingAuthRecord, secrets: SecretKeys): SitePublishingAuth {
  const { backend, fallbackUrl, logoutUrl } = auth;
  return {
    object: 'publishing-auth',
    backend,
    privateKey: privateKeyOf(secrets, auth),
    fallbackURL: fallbackUrl,
    logoutURL: logoutUrl,
  };
}
