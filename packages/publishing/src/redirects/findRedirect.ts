import { createHash } from 'node:crypto';
import { WebUrl, trimmedSides } from '@bindery/contract';
import {
  SiteRedirect,
  type RevisionRecord,
  type SiteRedirectDestinationRecord,
  type SiteRedirectRecord,
} from '@bindery/models';
import { decoded } from '../url/findSiteByUrl.ts';
import { walkSite, type SiteMatch } from '../url/walkSite.ts';
import { findPageAt } from '../content/findPageAt.ts';
import { askedPath, beginningsOf, canonicalPath } from './redirectPath.ts';
import type { SiteContext, SpaceContent } from './siteContext.ts';
import { basesOf, pathWithin, targetUrl, withSuffix } from './targetUrl.ts';

export type FoundRedirect = { redirect: SiteRedirectRecord; target: string };

/** Maximum number of redirects followed in search of a loop. */
export const maxHops = 20;

/** Longer sources cannot be stored. */
const maxSourceLength = 2048;

/**
 * Finds the redirect for a path of a site that has no page: the one of exactly this path, else the one with
 * the longest matching wildcard, else a redirect from the repository of a space, else the page whose file or
 * earlier path it is. Skips redirects whose destination is deleted or hidden from the reader.
 */
export async function findRedirect(source: string, context: SiteContext): Promise<FoundRedirect | undefined> {
  const path = askedPath(source);
  const found = await nextRedirect(path, context);
  // Loops in a repository's redirects are not refused when they are imported.
  return found && !(await isLoop(path, found, context)) ? found : undefined;
}

/** Whether following redirects from a path never ends. */
async function isLoop(path: string, first: FoundRedirect, context: SiteContext): Promise<boolean> {
  const bases = basesOf(context);
  const seen = new Set([path]);
  for (let found: FoundRedirect | undefined = first; found && seen.size < maxHops;) {
    // A destination with content ends the chain.
    if (found.redirect.destination.kind !== 'external') return false;
    const next = pathWithin(found.target, bases);
    if (next === undefined) return false;
    if (seen.has(next)) return true;
    seen.add(next);
    found = await nextRedirect(next, context);
  }
  return seen.size >= maxHops;
}

async function nextRedirect(path: string, context: SiteContext): Promise<FoundRedirect | undefined> {
  if (path === '' || path.length > maxSourceLength) return undefined;
  for (const redirect of await matching(context.site._id, path)) {
    const base = await targetUrl(redirect.destination, context);
    if (base === undefined) continue;
    const isSuffixKept = redirect.isWildcard && redirect.captureWildcard;
    return { redirect, target: isSuffixKept ? withSuffix(base, path.slice(redirect.path.length)) : base };
  }
  return findInSpaces(path, context);
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
  return found.toSorted(
    (a, b) => Number(a.isWildcard) - Number(b.isWildcard) || b.path.length - a.path.length,
  );
}

/**
 * Finds a redirect from a space: `.gitbook.yaml` of a repository may map old paths of its space, and the path
 * of a page's file may have been the path of the page. Both apply below the URL of each site space that shows
 * the space.
 */
async function findInSpaces(path: string, context: SiteContext): Promise<FoundRedirect | undefined> {
  const { site, tree } = context;
  const segments = path.split('/').slice(1);
  const place = walkSite({ site, ...tree }, segments.map(decoded));
  const content = place && (await context.contentOf(place.siteSpace));
  const from = segments.slice(place?.used).join('/');
  if (!place || !content) return undefined;
  const listed = content.revision.redirects.find(
    (redirect) => canonicalPath(trimmedSides(redirect.from, '/')) === from,
  );
  const destination = listed
    ? destinationOf(listed, place.siteSpace._id)
    : await pageOfFile(from, { content, place });
  const target = destination && (await targetUrl(destination, context, listed));
  if (!destination || target === undefined) return undefined;
  const { createdAt } = content.revision;
  return {
    target,
    redirect: {
      // It has no record and thus no id; this one is at least stable.
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

/**
 * The page whose file is at a path, or that had this path before an import; not the page that is there now.
 */
async function pageOfFile(
  from: string,
  { content, place }: { content: SpaceContent; place: Pick<SiteMatch, 'siteSpace'> },
): Promise<SiteRedirectDestinationRecord | undefined> {
  const { byPath, byFilePath } = await content.pages();
  const path = from.split('/').map(decoded).join('/');
  const found = findPageAt(path, byPath) ? undefined : findPageAt(path, byFilePath);
  return found && { kind: 'site-page', siteSpaceId: place.siteSpace._id, pageId: found.page.id };
}

function destinationOf(
  { to, page }: RevisionRecord['redirects'][number],
  siteSpaceId: string,
): SiteRedirectDestinationRecord | undefined {
  if (page !== undefined) return { kind: 'site-page', siteSpaceId, pageId: page };
  return WebUrl.safeParse(to).success ? { kind: 'external', url: to } : undefined;
}
