import { createHash } from 'node:crypto';
import {
  ApiError,
  isWebTarget,
  type PublishedContent,
  type ResolvePublishedContent,
} from '@bindery/contract';
import type { Config } from '@bindery/runtime';
import type { AppLinks } from '../site/appLinks.ts';
import { loadLiveSpaces, shownTo } from '../site/shownTo.ts';
import { loadSiteTree } from '../site/siteTree.ts';
import { siteSpacePath, siteUrl } from '../site/siteUrl.ts';
import { admitVisitor, type Admitted } from '../visitor/admitVisitor.ts';
import { signContentToken } from '../visitor/contentToken.ts';
import { decoded, findSiteByUrl, type FoundSite } from './findSiteByUrl.ts';
import { stateOf } from './stateOf.ts';
import { walkSite } from './walkSite.ts';

/** The parts of a process that sites need. */
export type Publishing = { config: Pick<Config, 'secrets'>; links: AppLinks };

/**
 * Resolves a URL of a published site to its content and a token that reads it. Answers with a redirect when
 * the visitor has to sign in first, and when the path names a default section or site space.
 *
 * Readers resolve several prefixes of one URL at once and take the longest that is `complete`: the path may
 * stop anywhere, and the segments after the site space are not checked.
 * @throws not_found, with the same message, when no site exists, the site is not published, or the visitor
 *   may not see it
 */
export async function resolvePublishedUrl(
  platform: Publishing,
  { url: text, redirectOnError = false, visitor = {} }: ResolvePublishedContent,
): Promise<PublishedContent> {
  const url = parseUrl(text);
  const found = url && (await findSiteByUrl(url, platform.links.appUrl));
  if (!url || !found) throw nothingThere();
  const admitted = await admitVisitor(found, {
    secrets: platform.config.secrets,
    visitor,
    redirectOnError,
    url,
  });
  if (!admitted) throw nothingThere();
  return 'redirect' in admitted
    ? admitted
    : contentAt(found, admitted, { platform, url, visitorType: visitor.type });
}

async function contentAt(
  { site, organization, base, rest }: FoundSite,
  { claims, key, isPreview, expiresAt, signedBy, identity }: Admitted,
  {
    platform: { config, links },
    url,
    visitorType,
  }: { platform: Publishing; url: URL; visitorType: 'human' | 'agent' | undefined },
): Promise<PublishedContent> {
  const tree = await loadSiteTree(site._id);
  const live = await loadLiveSpaces(tree.siteSpaces);
  const shown = shownTo(claims, {
    ...tree,
    siteSpaces: tree.siteSpaces.filter(({ space }) => live.has(space)),
  });
  // The key that opens the site is the segment between the site and the rest of the path.
  const path = key ? rest.slice(1) : rest;
  const match = walkSite({ site, ...shown }, path.map(decoded));
  if (!match) throw nothingThere();
  const { section, siteSpace, used, isComplete } = match;
  const siteBase = [...base, ...(key ? rest.slice(0, 1) : [])];
  const page = path.slice(used);
  const shareKey = key?.shareKey;
  const shortest = siteSpacePath({ site, sections: tree.sections, siteSpace }).split('/').slice(1);
  const short = walkSite({ site, ...shown }, [...shortest, ...page].map(decoded));
  // Without the name of the default, the page path could be taken for another part of the site.
  const isShortGood = short?.siteSpace === siteSpace && short.used === shortest.length;
  const canonical =
    siteUrl(site, { links, organization, shareKey }) +
    pathOf(isShortGood ? [...shortest, ...page] : path, '');
  const namesDefault = isShortGood && used > shortest.length;
  if (namesDefault && !isPreview) return { target: 'content', redirect: canonical + url.search };

  const ids = {
    organization: organization._id,
    site: site._id,
    siteSection: section?._id,
    siteSpace: siteSpace._id,
    space: siteSpace.space,
  };
  const token = {
    kind: 'site' as const,
    ...ids,
    spaces: shown.siteSpaces.map(({ space }) => space),
    claims,
    visitorType,
    visibility: site.visibility,
    shareLink: key?.shareLink,
    signedBy,
    state: stateOf({ organization, site, groups: tree.groups, siteSpaces: shown.siteSpaces, spaces: live }),
    preview: isPreview || undefined,
  };
  const apiToken = await signContentToken(config.secrets, token, { noLaterThan: expiresAt });
  return {
    ...ids,
    pathname: pathOf(page),
    basePath: pathOf([...siteBase, ...path.slice(0, used)]),
    siteBasePath: pathOf(siteBase),
    apiToken,
    shareKey,
    complete: isComplete,
    canonicalUrl: canonical,
    contextId: identity && createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    preview: isPreview || undefined,
  };
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && isWebTarget(url.href) ? url : undefined;
}

function pathOf(segments: readonly string[], root = '/'): string {
  return segments.length === 0 ? root : `/${segments.join('/')}`;
}

function nothingThere(): ApiError {
  return new ApiError('not_found', 'Nothing is published at this URL for this visitor.');
}
