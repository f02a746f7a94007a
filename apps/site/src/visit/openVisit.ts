import type { IncomingMessage } from 'node:http';
import {
  admitVisitor,
  findSiteByUrl,
  locateVisit,
  pathOf,
  type Visit,
  type Visitor,
} from '@bindery/publishing';
import type { Redirect } from '../answer/answer.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import { visitorCookie, visitorTokenOf } from './visitorCookie.ts';

/** A visit of a site: where the URL leads, and who reads. */
export type OpenVisit = { visit: Visit; visitor: Visitor; url: URL };

/**
 * Finds out where a request leads and whether its visitor may be there. The parameter `jwt_token`, with which
 * a sign-in page sends a visitor back, becomes a cookie.
 *
 * @returns undefined when there is nothing at this URL for this visitor, whatever the reason
 */
export async function openVisit(
  request: IncomingMessage,
  { url, platform }: { url: URL; platform: SitePlatform },
): Promise<OpenVisit | Redirect | undefined> {
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
  if ('redirect' in admitted) return { status: 302, location: admitted.redirect };
  if (given !== undefined) {
    const path = pathOf(found.base);
    const cookie = visitorCookie(given, { path, isSecure: url.protocol === 'https:' });
    return { status: 302, location: withoutToken(url), cookie };
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
  };
  return { visit, visitor, url };
}

/** The path of a URL without the token of a visitor, and with one slash in front: two would name a host. */
function withoutToken(url: URL): string {
  const search = new URLSearchParams(url.search);
  search.delete('jwt_token');
  const query = search.size > 0 ? `?${search.toString()}` : '';
  return `${url.pathname.replace(/^\/+/, '/')}${query}`;
}
