import type { IncomingMessage } from 'node:http';
import { noQuestions } from '@bindery/dialect';
import {
  admitVisitor,
  findSiteByUrl,
  locateVisit,
  pathOf,
  pathWithoutToken,
  siteUrl,
  type FoundSite,
  type Visit,
  type Visitor,
} from '@bindery/publishing';
import type { Redirect } from '../answer/answer.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import { fitsCookie, visitorCookie, visitorTokenOf } from './visitorCookie.ts';

/**
 * A visit of a site: where the URL leads, and who reads. `askedMs`: when the request came, by
 * `performance.now()`.
 */
export type OpenVisit = { visit: Visit; visitor: Visitor; url: URL; askedMs: number };

type Admission = NonNullable<Awaited<ReturnType<typeof admitVisitor>>>;

/** The token with which a sign-in page sent the visitor back is longer than a browser keeps. */
export type RefusedVisit = { refused: 'tokenTooLong' };

/**
 * Finds out where a request leads and whether its visitor may be there. The parameter `jwt_token`, with which
 * a sign-in page sends a visitor back, becomes a cookie.
 *
 * @returns undefined when there is nothing at this URL for this visitor, whatever the reason
 */
export async function openVisit(
  request: IncomingMessage,
  { url, platform }: { url: URL; platform: SitePlatform },
): Promise<OpenVisit | Redirect | RefusedVisit | undefined> {
  const askedMs = performance.now();
  const found = await findSiteByUrl(url, platform.links);
  if (!found) return undefined;
  const given = url.searchParams.get('jwt_token') ?? undefined;
  const token = given ?? visitorTokenOf(request);
  const { secrets } = platform.config;
  const admitted = await admitVisitor(found, {
    secrets,
    visitor: token === undefined ? {} : { jwtToken: token },
    redirectOnError: given !== undefined,
    url,
  });
  if (!admitted) return undefined;
  const moved = hostnameUrl(found, { admitted, url, platform });
  if (moved !== undefined) return { status: 308, location: moved };
  // A preview asks nobody to sign in: nobody has verified the token.
  const usesToken = 'redirect' in admitted || admitted.signedBy !== undefined;
  // Without its cookie, the visitor would go to the sign-in page and come back without end.
  if (given !== undefined && !fitsCookie(given) && usesToken) return { refused: 'tokenTooLong' };
  if ('redirect' in admitted) return { status: 302, location: admitted.redirect };
  const { base, linkBase, rest } = found;
  if (pathOf(base) !== pathOf(linkBase))
    return { status: 308, location: pathOf([...linkBase, ...rest]) + url.search };
  if (given !== undefined) {
    const isSecure = url.protocol === 'https:';
    const cookie = usesToken ? visitorCookie(given, { path: pathOf(base), isSecure }) : undefined;
    return { status: 302, location: pathWithoutToken(url), cookie };
  }
  const visit = await locateVisit(found, admitted, platform.links);
  if (!visit) return undefined;
  const { organization, site } = visit;
  const isOpenToAll = site.visibility === 'public' || site.visibility === 'unlisted';
  const hasClaims = Object.keys(admitted.claims).length > 0;
  const visitor = {
    organization: organization._id,
    site: site._id,
    claims: admitted.claims,
    isAnybody: isOpenToAll && !admitted.isPreview && !hasClaims,
    isPreview: admitted.isPreview,
    isAdmitted: true,
    questions: noQuestions(),
  };
  return { visit, visitor, url, askedMs };
}

/**
 * The same URL at the custom hostname of the site, for a request at another address or without TLS where the
 * platform serves it; undefined for a site without one, and for previews, which stay at the platform's own
 * host because the hostname may not lead there yet. A visitor is sent there before
 * signing in, because the cookie is one of its host.
 */
function hostnameUrl(
  { site, organization, isOwnPath, rest }: FoundSite,
  { admitted, url, platform }: { admitted: Admission; url: URL; platform: SitePlatform },
): string | undefined {
  const isPreview = !('redirect' in admitted) && admitted.isPreview;
  // A proxy in front decides itself what it answers without TLS.
  const { tlsPort } = platform.config.hostnames;
  const isPlain = tlsPort !== 0 && url.protocol === 'http:' && url.hostname === site.hostname;
  if (site.hostname === undefined || isPreview || !(isOwnPath || isPlain)) return undefined;
  return siteUrl(site, { links: platform.links, organization }) + pathOf(rest) + url.search;
}
