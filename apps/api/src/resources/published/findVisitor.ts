import { ShareLink, Site, type SiteRecord } from '@bindery/models';
import type { Visitor } from '../../http/actor.ts';
import { thePlatform } from '../../platform.ts';
import { findPublishingAuth, keyIdOf } from '../publishing-auth/publishingAuth.ts';
import { readContentToken } from './contentToken.ts';

/**
 * The visitor that a content token was made for; undefined when it is none of ours or has ended.
 *
 * It is not admitted any more when the site was taken off the net, is open to others than it was, or has another key than the one that signed who
 * the visitor is, or when the share link that opened it was revoked. So a
 * site that is closed is closed at once.
 */
export async function findVisitor(token: string): Promise<Visitor | undefined> {
  const content = await readContentToken(thePlatform().config.secrets, token);
  if (!content) return undefined;
  const { organization, site: siteId, shareLink, signedBy, claims = {}, preview: isPreview = false } = content;
  const [site, isLinkActive, auth] = await Promise.all([
    Site.findOne({ _id: siteId, organization }, { isPublished: 1, visibility: 1 }).lean<SiteRecord>(),
    shareLink === undefined || ShareLink.exists({ _id: shareLink, site: siteId, isActive: true }),
    signedBy === undefined ? undefined : findPublishingAuth({ _id: siteId }),
  ]);
  const isKeyGood = signedBy === undefined || (auth && keyIdOf(auth) === signedBy);
  const isOpen = isPreview || (site?.isPublished === true && site.visibility === content.visibility && isLinkActive && isKeyGood);
  const isOpenToAll = content.visibility === 'public' || content.visibility === 'unlisted';
  const isAnybody = isOpenToAll && !isPreview && Object.keys(claims).length === 0;
  return { organization, site: siteId, claims, isAnybody, isPreview, isAdmitted: site !== null && Boolean(isOpen) };
}
