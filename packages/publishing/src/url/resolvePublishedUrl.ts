import { createHash } from 'node:crypto';
import {
  ApiError,
  isWebTarget,
  type PublishedContent,
  type ResolvePublishedContent,
} from '@bindery/contract';
import type { Config, SecretKeys } from '@bindery/runtime';
import type { AppLinks } from '../site/appLinks.ts';
import { admitVisitor } from '../visitor/admitVisitor.ts';
import { signContentToken } from '../visitor/contentToken.ts';
import { findSiteByUrl } from './findSiteByUrl.ts';
import { locateVisit, pathOf, type Visit } from './locateVisit.ts';

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
  const found = url && (await findSiteByUrl(url, platform.links));
  if (!url || !found) throw nothingThere();
  const admitted = await admitVisitor(found, {
    secrets: platform.config.secrets,
    visitor,
    redirectOnError,
    url,
  });
  if (!admitted) throw nothingThere();
  if ('redirect' in admitted) return admitted;
  // Only the app of sites shows change requests: a content token reads the main content.
  if (admitted.changeRequest !== undefined) throw nothingThere();
  const visit = await locateVisit(found, admitted, platform.links);
  if (!visit) throw nothingThere();
  if (visit.namesDefault && !admitted.isPreview)
    return { target: 'content', redirect: visit.canonicalUrl + url.search };
  return contentOf(visit, { secrets: platform.config.secrets, visitorType: visitor.type });
}

async function contentOf(
  visit: Visit,
  { secrets, visitorType }: { secrets: SecretKeys; visitorType: 'human' | 'agent' | undefined },
): Promise<PublishedContent> {
  const { organization, site, section, siteSpace, admitted, tree, state } = visit;
  const { claims, key, isPreview, expiresAt, signedBy, identity } = admitted;
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
    spaces: tree.siteSpaces.map(({ space }) => space),
    claims,
    visitorType,
    visibility: site.visibility,
    shareLink: key?.shareLink,
    signedBy,
    state,
    preview: isPreview || undefined,
  };
  return {
    ...ids,
    pathname: pathOf(visit.page),
    basePath: pathOf(visit.base),
    siteBasePath: pathOf(visit.siteBase),
    apiToken: await signContentToken(secrets, token, { noLaterThan: expiresAt }),
    shareKey: key?.shareKey,
    complete: visit.isComplete,
    canonicalUrl: visit.canonicalUrl,
    contextId: identity && createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    preview: isPreview || undefined,
  };
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && isWebTarget(url.href) ? url : undefined;
}

function nothingThere(): ApiError {
  return new ApiError('not_found', 'Nothing is published at this URL for this visitor.');
}
