import {
  Organization,
  Site,
  SiteHost,
  type OrganizationRecord,
  type SiteHostRecord,
  type SiteRecord,
} from '@bindery/models';
import type { AppLinks } from '../site/appLinks.ts';
import type { SpaceState } from '../site/shownTo.ts';
import type { SiteTree } from '../site/siteTree.ts';
import { findCurrentSite, type CurrentSite } from './currentSite.ts';

export type FoundSite = {
  site: SiteRecord;
  organization: OrganizationRecord;
  /** The whole structure of the site. */
  tree: SiteTree;
  /** The spaces in it that are not deleted, by id. */
  spaces: ReadonlyMap<string, SpaceState>;
  /** The segments of the URL's path that lead to the site, as written. */
  base: string[];
  /** The same segments as links have them: without other cases, and percent-encoded in one way. */
  linkBase: string[];
  /** The segments after them, as written. */
  rest: string[];
  /** Whether the site was found below the URL of sites, not at a host of its own. */
  isOwnPath: boolean;
};

/** Limits the paths that one look-up compares with the proxies of sites. */
const maxProxySegments = 10;

/**
 * Finds the site of a URL, published or not, as it is now: by its custom hostname, by its proxy, or below the
 * URL of sites. Requests for a site at the same time share the queries.
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
  const { used, linkBase = segments.slice(0, used), ...current } = found;
  return {
    ...current,
    base: segments.slice(0, used),
    linkBase,
    rest: segments.slice(used),
    isOwnPath: isOwn,
  };
}

/** `linkBase`: where segments that are written differently lead to the same site. */
type Match = CurrentSite & { used: number; linkBase?: string[] };

async function byHostname({ hostname }: URL): Promise<Match | undefined> {
  const found = await findCurrentSite(hostname, async ({ begin }) => {
    const organizationOf = begin('organization', findOrganization);
    const site = await Site.findOne({ hostname }).lean<SiteRecord>();
    return site ? withOrganization(site, organizationOf) : undefined;
  });
  return found && { ...found, used: 0 };
}

async function byProxy({ hostname }: URL, segments: string[]): Promise<Match | undefined> {
  const count = Math.min(segments.length, maxProxySegments);
  if (count === 0) return undefined;
  const names = Array.from({ length: count }, (_, i) => [hostname, ...segments.slice(0, i + 1)].join('/'));
  const found = await findCurrentSite(names.at(-1)!, async ({ begin }) => {
    // Only sites of the organization that has proven the host count.
    const organizationOf = begin('organization', findOrganization);
    const sitesOf = begin('organization', async (organization) =>
      Site.find({ proxy: { $in: names }, organization }).lean<SiteRecord[]>(),
    );
    const holder = await SiteHost.findOne({
      host: hostname,
      provenAt: { $exists: true },
    }).lean<SiteHostRecord>();
    if (!holder) return undefined;
    const sites = await sitesOf(holder.organization);
    // The longest path wins; of two sites with the same path the published one, then the older one.
    const [site] = sites.toSorted(
      (a, b) =>
        (b.proxy ?? '').length - (a.proxy ?? '').length ||
        Number(b.isPublished) - Number(a.isPublished) ||
        a.createdAt.getTime() - b.createdAt.getTime(),
    );
    return site && withOrganization(site, organizationOf);
  });
  return found?.site.proxy === undefined
    ? undefined
    : { ...found, used: found.site.proxy.split('/').length - 1 };
}

async function byOwnPath(
  url: URL,
  { segments, own }: { segments: string[]; own: URL },
): Promise<Match | undefined> {
  const prefix = own.pathname.split('/').filter((segment) => segment !== '');
  const [name, basename] = segments.slice(prefix.length).map(decoded);
  if (url.host !== own.host || prefix.some((segment, i) => segments[i] !== segment)) return undefined;
  if (name === undefined || basename === undefined) return undefined;
  const found = await findCurrentSite(JSON.stringify([name, basename]), async ({ begin }) => {
    const siteIn = begin('organization', async (organization) =>
      Site.findOne({ organization, basename }).lean<SiteRecord>(),
    );
    const organizations = await Organization.find({
      $or: [{ hostname: name.toLowerCase() }, { _id: name }],
    }).lean<OrganizationRecord[]>();
    // An id wins over a hostname: an organization may have chosen another's id as its hostname.
    const organization = organizations.find(({ _id }) => _id === name) ?? organizations[0];
    const site = organization && (await siteIn(organization._id));
    return site ? { site, organization } : undefined;
  });
  if (!found) return undefined;
  const { organization } = found;
  const named = organization._id === name ? name : (organization.hostname ?? name);
  const linkBase = [...prefix, ...[named, basename].map(encodeURIComponent)];
  return { ...found, used: prefix.length + 2, linkBase };
}

async function findOrganization(id: string): Promise<OrganizationRecord | null> {
  return Organization.findById(id).lean<OrganizationRecord>();
}

async function withOrganization(
  site: SiteRecord,
  organizationOf: typeof findOrganization,
): Promise<Pick<CurrentSite, 'site' | 'organization'> | undefined> {
  const organization = await organizationOf(site.organization);
  return organization ? { site, organization } : undefined;
}

/** Percent-decodes a segment of a path; a malformed one stays as written. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize('NFC');
  } catch {
    return segment;
  }
}
