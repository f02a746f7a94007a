import {
  Organization,
  Site,
  SiteHost,
  type OrganizationRecord,
  type SiteHostRecord,
  type SiteRecord,
} from '@bindery/models';
import type { AppLinks } from '../site/appLinks.ts';

/**
 * A site, the segments of the URL's path that lead to it (`base`), and the segments after them as written
 * (`rest`).
 */
export type FoundSite = {
  site: SiteRecord;
  organization: OrganizationRecord;
  base: string[];
  rest: string[];
};

/** Limits the paths that one look-up compares with the proxies of sites. */
const maxProxySegments = 10;

/**
 * Finds the site of a URL, published or not: by its custom hostname, by its proxy, or below the URL of sites.
 */
export async function findSiteByUrl(
  url: URL,
  { appUrl, sitesUrl }: Pick<AppLinks, 'appUrl' | 'sitesUrl'>,
): Promise<FoundSite | undefined> {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const own = new URL(sitesUrl);
  // The platform's own hosts serve only its own paths, even if a site claims such a host.
  const isOwn = url.hostname === own.hostname || url.hostname === new URL(appUrl).hostname;
  const found = isOwn
    ? await byOwnPath(url, { segments, own })
    : ((await byHostname(url)) ?? (await byProxy(url, segments)));
  if (!found) return undefined;
  const organization = await Organization.findById(found.site.organization).lean<OrganizationRecord>();
  return organization
    ? {
        site: found.site,
        organization,
        base: segments.slice(0, found.used),
        rest: segments.slice(found.used),
      }
    : undefined;
}

type Match = { site: SiteRecord; used: number };

async function byHostname({ hostname }: URL): Promise<Match | undefined> {
  const site = await Site.findOne({ hostname }).lean<SiteRecord>();
  return site ? { site, used: 0 } : undefined;
}

async function byProxy({ hostname }: URL, segments: string[]): Promise<Match | undefined> {
  const count = Math.min(segments.length, maxProxySegments);
  if (count === 0) return undefined;
  const names = Array.from({ length: count }, (_, i) => [hostname, ...segments.slice(0, i + 1)].join('/'));
  // Only sites of the organization that has proven the host count.
  const holder = await SiteHost.findOne({
    host: hostname,
    provenAt: { $exists: true },
  }).lean<SiteHostRecord>();
  if (!holder) return undefined;
  const sites = await Site.find({ proxy: { $in: names }, organization: holder.organization }).lean<
    SiteRecord[]
  >();
  // The longest path wins; of two sites with the same path the published one, then the older one.
  const [site] = sites.toSorted(
    (a, b) =>
      (b.proxy ?? '').length - (a.proxy ?? '').length ||
      Number(b.isPublished) - Number(a.isPublished) ||
      a.createdAt.getTime() - b.createdAt.getTime(),
  );
  return site?.proxy === undefined ? undefined : { site, used: site.proxy.split('/').length - 1 };
}

async function byOwnPath(
  url: URL,
  { segments, own }: { segments: string[]; own: URL },
): Promise<Match | undefined> {
  const prefix = own.pathname.split('/').filter((segment) => segment !== '');
  const [name, basename] = segments.slice(prefix.length).map(decoded);
  if (url.host !== own.host || prefix.some((segment, i) => segments[i] !== segment)) return undefined;
  if (name === undefined || basename === undefined) return undefined;
  const organizations = await Organization.find(
    { $or: [{ hostname: name.toLowerCase() }, { _id: name }] },
    { _id: 1 },
  ).lean<{ _id: string }[]>();
  // An id wins over a hostname: an organization may have chosen another's id as its hostname.
  const organization = organizations.find(({ _id }) => _id === name) ?? organizations[0];
  const site =
    organization && (await Site.findOne({ organization: organization._id, basename }).lean<SiteRecord>());
  return site ? { site, used: prefix.length + 2 } : undefined;
}

/** Percent-decodes a segment of a path; a malformed one stays as written. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize('NFC');
  } catch {
    return segment;
  }
}
