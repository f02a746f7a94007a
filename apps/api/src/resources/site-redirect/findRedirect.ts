import { createHash } from 'node:crypto';
import { WebUrl, trimmedSides } from '@bindery/contract';
import { SiteRedirect, type RevisionRecord, type SiteRedirectDestinationRecord, type SiteRedirectRecord } from '@bindery/models';
import { decoded } from '../published/findSiteByUrl.ts';
import { walkSite } from '../published/walkSite.ts';
import { askedPath, beginningsOf, canonicalPath } from './redirectPath.ts';
import type { SiteContext } from './siteContext.ts';
import { targetUrl, withSuffix } from './targetUrl.ts';

export type FoundRedirect = { redirect: SiteRedirectRecord; target: string };

/** No longer source can be stored. */
const maxSourceLength = 2048;

/**
 * Where a path of a site leads that has no page: by the redirect of this very path, by the one with the longest beginning of it, or by the
 * redirects that the repository of a space brought along. One whose destination is gone, or hidden from who asks, does not count.
 */
export async function findRedirect(source: string, context: SiteContext): Promise<FoundRedirect | undefined> {
  const path = askedPath(source);
  if (path === '' || path.length > maxSourceLength) return undefined;
  for (const redirect of await matching(context.site._id, path)) {
    const base = await targetUrl(redirect.destination, context);
    if (base === undefined) continue;
    const isSuffixKept = redirect.isWildcard && redirect.captureWildcard;
    return { redirect, target: isSuffixKept ? withSuffix(base, path.slice(redirect.path.length)) : base };
  }
  return findInRepositories(path, context);
}

async function matching(site: string, path: string): Promise<SiteRedirectRecord[]> {
  const found = await SiteRedirect.find({
    site,
    isDraft: false,
    $or: [
      { path, isWildcard: false },
      { path: { $in: beginningsOf(path) }, isWildcard: true },
    ],
  }).lean<SiteRedirectRecord[]>();
  return found.toSorted((a, b) => Number(a.isWildcard) - Number(b.isWildcard) || b.path.length - a.path.length);
}

/** `.gitbook.yaml` of a repository may name old paths of its space: they count below the URL of each site space that shows it. */
async function findInRepositories(path: string, context: SiteContext): Promise<FoundRedirect | undefined> {
  const { site, tree } = context;
  const segments = path.split('/').slice(1);
  const place = walkSite({ site, ...tree }, segments.map(decoded));
  const content = place && (await context.contentOf(place.siteSpace));
  const from = segments.slice(place?.used).join('/');
  const listed = content?.revision.redirects.find((redirect) => canonicalPath(trimmedSides(redirect.from, '/')) === from);
  if (!place || !content || !listed) return undefined;
  const destination = destinationOf(listed, place.siteSpace._id);
  const target = destination && (await targetUrl(destination, context, listed));
  if (!destination || target === undefined) return undefined;
  const { createdAt } = content.revision;
  return {
    target,
    redirect: {
      // It has no record, so no id; this one is at least the same each time.
      _id: createHash('sha256').update(`${place.siteSpace._id} ${path}`).digest('base64url').slice(0, 20),
      organization: site.organization,
      site: site._id,
      source: path,
      path,
      isWildcard: false,
      isDraft: false,
      captureWildcard: false,
      permanent: false,
      destination,
      version: 1,
      createdAt,
      touchedAt: createdAt,
    },
  };
}

function destinationOf({ to, page }: RevisionRecord['redirects'][number], siteSpaceId: string): SiteRedirectDestinationRecord | undefined {
  if (page !== undefined) return { kind: 'site-page', siteSpaceId, pageId: page };
  return WebUrl.safeParse(to).success ? { kind: 'external', url: to } : undefined;
}
