import { reduceClaims } from '@bindery/dialect';
import { ApiError, invalid, type SitePreviewQuery } from '@bindery/contract';
import {
  SiteSection,
  SiteSpace,
  type OrganizationRecord,
  type SiteRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
} from '@bindery/models';
import { adaptiveSchemaOf, ownSiteUrl, signPreview, siteSpacePath } from '@bindery/publishing';
import type { z } from 'zod';
import type { Platform } from '../../platform.ts';
import { parseClaims } from './parseClaims.ts';

/** The longest URL that `resolvePublishedContentByUrl` accepts. */
const maxUrlLength = 2048;

/**
 * A URL that opens a preview. It has the platform's own origin, because a custom hostname may not point here
 * yet.
 *
 * @throws invalid_request for a site space of another site, malformed claims, and claims too long for a URL;
 *   conflict when the site is empty
 */
export async function previewSite(
  {
    platform,
    organization,
    site,
  }: { platform: Platform; organization: OrganizationRecord; site: SiteRecord },
  query: z.output<typeof SitePreviewQuery>,
): Promise<string> {
  const claims = query.claims === undefined ? {} : parseClaims(query.claims);
  if (!claims) throw invalid('query.claims', 'must be an object as JSON or in Rison');
  const sections = await SiteSection.find({ site: site._id }).lean<SiteSectionRecord[]>();
  const wanted = query.siteSpace ?? defaultOf(site, sections);
  const siteSpace =
    wanted === undefined
      ? null
      : await SiteSpace.findOne({ _id: wanted, site: site._id }).lean<SiteSpaceRecord>();
  if (!siteSpace && query.siteSpace !== undefined)
    throw invalid('query.siteSpace', 'is no site space of this site');
  if (!siteSpace)
    throw new ApiError('conflict', 'The site is empty.', { action: 'Add a space to it first.' });

  const unsigned =
    typeof claims['unsigned'] === 'object' && claims['unsigned'] !== null ? claims['unsigned'] : {};
  const reduced = reduceClaims(adaptiveSchemaOf(site), {
    signed: claims,
    unsigned: unsigned as Record<string, unknown>,
  });
  const token = signPreview(platform.config.secrets, {
    site: site._id,
    siteSpace: siteSpace._id,
    claims: reduced,
  });
  const url = `${ownSiteUrl(site, { links: platform.links, organization })}/${token}${siteSpacePath({ site, sections, siteSpace })}`;
  if (url.length > maxUrlLength) throw invalid('query.claims', 'are more than fit into a URL');
  return url;
}

/** The site space that the URL of the site shows. */
function defaultOf(site: SiteRecord, sections: readonly SiteSectionRecord[]): string | undefined {
  if (sections.length === 0) return site.defaultSiteSpace;
  return (sections.find(({ _id }) => _id === site.defaultSection) ?? sections[0])?.defaultSiteSpace;
}
