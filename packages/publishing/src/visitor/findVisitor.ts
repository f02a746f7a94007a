import { ShareLink, signingKeyId, Site, type SiteRecord } from '@bindery/models';
import type { SecretKeys } from '@bindery/runtime';
import type { Visitor } from './visitor.ts';
import { findPublishingAuth } from './publishingAuth.ts';
import { readContentToken } from './contentToken.ts';

/**
 * The visitor of a content token; undefined when the token is forged or has expired.
 *
 * The visitor is no longer admitted when the site was unpublished, has another visibility, or has another key
 * than the one that signed the claims, or when the share link was disabled. So closing a site takes effect at
 * once.
 */
export async function findVisitor(secrets: SecretKeys, token: string): Promise<Visitor | undefined> {
  const content = await readContentToken(secrets, token);
  if (!content) return undefined;
  const {
    organization,
    site: siteId,
    shareLink,
    signedBy,
    claims = {},
    preview: isPreview = false,
  } = content;
  const [site, isLinkActive, auth] = await Promise.all([
    Site.findOne({ _id: siteId, organization }, { isPublished: 1, visibility: 1 }).lean<SiteRecord>(),
    shareLink === undefined || ShareLink.exists({ _id: shareLink, site: siteId, isActive: true }),
    signedBy === undefined ? undefined : findPublishingAuth({ _id: siteId }),
  ]);
  const isKeyGood = signedBy === undefined || (auth && signingKeyId(auth) === signedBy);
  const isOpen =
    isPreview ||
    (site?.isPublished === true && site.visibility === content.visibility && isLinkActive && isKeyGood);
  const isOpenToAll = content.visibility === 'public' || content.visibility === 'unlisted';
  const isAnybody = isOpenToAll && !isPreview && Object.keys(claims).length === 0;
  return {
    organization,
    site: siteId,
    claims,
    isAnybody,
    isPreview,
    isAdmitted: site !== null && Boolean(isOpen),
  };
}
