import { Organization, Site, SiteHost, type OrganizationRecord, type SiteHostRecord, type SiteRecord } from '@bindery/models';
import { thePlatform } from '../../platform.ts';

/** A site and how much of a URL's path leads to it; `rest` are the segments behind, as they were written. */
export type FoundSite = { site: SiteRecord; organization: OrganizationRecord; base: string[]; rest: string[] };

/** A proxy of a site stands under a few segments, not under hundreds. */
const maxProxySegments = 10;

/** The site to which a URL leads: by its custom hostname, by its proxy, or under the platform's own origin. Published or not. */
export async function findSiteByUrl(url: URL): Promise<FoundSite | undefined> {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  // Under the platform's own host stands nothing but what the platform puts there, whatever hosts others claim for their sites.
  const isOwn = url.hostname === new URL(thePlatform().config.api.appUrl).hostname;
  const found = isOwn ? await byOwnPath(url, segments) : ((await byHostname(url)) ?? (await byProxy(url, segments)));
  if (!found) return undefined;
  const organization = await Organization.findById(found.site.organization).lean<OrganizationRecord>();
  return organization
    ? { site: found.site, organization, base: segments.slice(0, found.used), rest: segments.slice(found.used) }
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
  // Of the organization that has proven the host, whatever stands in the sites of others.
  const holder = await SiteHost.findOne({ host: hostname, provenAt: { $exists: true } }).lean<SiteHostRecord>();
  if (!holder) return undefined;
  const sites = await Site.find({ proxy: { $in: names }, organization: holder.organization }).lean<SiteRecord[]>();
  // The longest path; of two sites that claim the same one, the one that is published, then the older one.
  const [site] = sites.toSorted(
    (a, b) =>
      (b.proxy ?? '').length - (a.proxy ?? '').length ||
      Number(b.isPublished) - Number(a.isPublished) ||
      a.createdAt.getTime() - b.createdAt.getTime(),
  );
  return site?.proxy === undefined ? undefined : { site, used: site.proxy.split('/').length - 1 };
}

async function byOwnPath(url: URL, segments: string[]): Promise<Match | undefined> {
  const own = new URL(thePlatform().config.api.appUrl);
  const prefix = own.pathname.split('/').filter((segment) => segment !== '');
  const [name, basename] = segments.slice(prefix.length).map(decoded);
  if (url.host !== own.host || prefix.some((segment, i) => segments[i] !== segment)) return undefined;
  if (name === undefined || basename === undefined) return undefined;
  const organizations = await Organization.find({ $or: [{ hostname: name.toLowerCase() }, { _id: name }] }, { _id: 1 }).lean<
    { _id: string }[]
  >();
  // Somebody may have chosen the id of another organization as hostname: it stays the other's.
  const organization = organizations.find(({ _id }) => _id === name) ?? organizations[0];
  const site = organization && (await Site.findOne({ organization: organization._id, basename }).lean<SiteRecord>());
  return site ? { site, used: prefix.length + 2 } : undefined;
}

/** A segment of a path as the text that it stands for; what is not well-formed stands for itself. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize('NFC');
  } catch {
    return segment;
  }
}
