import { reduceClaims } from '@bindery/dialect';
import { ApiError, invalid, type SitePreviewQuery } from '@bindery/contract';
import {
  ChangeRequest,
  SiteSection,
  SiteSpace,
  Space,
  type MemberRecord,
  type OrganizationRecord,
  type SiteRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
} from '@bindery/models';
import { adaptiveSchemaOf, ownSiteUrl, signPreview, siteSpacePath } from '@bindery/publishing';
import type { z } from 'zod';
import type { Platform } from '../../platform.ts';
import { visibleTo } from '../../permissions/access.ts';
import { parseClaims } from './parseClaims.ts';

/** The longest URL that `resolvePublishedContentByUrl` accepts. */
const maxUrlLength = 2048;

/**
 * A URL that opens a preview. It has the platform's own origin, because a custom hostname may not point here
 * yet.
 *
 * @throws invalid_request for a site space of another site, a change request that the member may not see,
 *   malformed claims, and claims too long for a URL;
 *   conflict when the site is empty
 */
export async function previewSite(
  {
    platform,
    organization,
    member,
    site,
  }: { platform: Platform; organization: OrganizationRecord; member: MemberRecord; site: SiteRecord },
  query: z.output<typeof SitePreviewQuery>,
): Promise<string> {
  const claims = query.claims === undefined ? {} : parseClaims(query.claims);
  if (!claims) throw invalid('query.claims', 'must be an object as JSON or in Rison');
  const sections = await SiteSection.find({ site: site._id }).lean<SiteSectionRecord[]>();
  const space =
    query.changeRequest === undefined
      ? undefined
      : await spaceOfChangeRequest(query.changeRequest, { organization, member });
  const siteSpace = await findSiteSpace(site, { wanted: query.siteSpace, space, sections });
  if (!siteSpace && query.siteSpace !== undefined)
    throw invalid('query.siteSpace', 'is not a site space of this site, or belongs to another space');
  if (!siteSpace && space !== undefined)
    throw invalid('query.changeRequest', 'is of a space that the site does not have');
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
    changeRequest: query.changeRequest,
  });
  const url = `${ownSiteUrl(site, { links: platform.links, organization })}/${token}${siteSpacePath({ site, sections, siteSpace })}`;
  if (url.length > maxUrlLength) throw invalid('query.claims', 'are more than fit into a URL');
  return url;
}

/** @throws invalid_request for a change request that the member may not see */
async function spaceOfChangeRequest(
  id: string,
  { organization, member }: { organization: OrganizationRecord; member: MemberRecord },
): Promise<string> {
  const found = await ChangeRequest.findById(id, { space: 1 }).lean<{ space: string }>();
  const inOrganization = { organization: organization._id, isDeleted: false, ...visibleTo(member) };
  const isSeen = found && (await Space.exists({ _id: found.space, ...inOrganization }));
  if (!isSeen) throw invalid('query.changeRequest', 'is no change request that you may see');
  return found.space;
}

/** The site space that is wanted, else the first with that space, else the default one. */
async function findSiteSpace(
  site: SiteRecord,
  { wanted, space, sections }: { wanted?: string; space?: string; sections: readonly SiteSectionRecord[] },
): Promise<SiteSpaceRecord | null> {
  const inSite = { site: site._id, ...(space !== undefined && { space }) };
  const id = wanted ?? (space === undefined ? defaultOf(site, sections) : undefined);
  if (id === undefined && space === undefined) return null;
  return SiteSpace.findOne({ ...inSite, ...(id !== undefined && { _id: id }) }).lean<SiteSpaceRecord>();
}

/** The site space that the URL of the site shows. */
function defaultOf(site: SiteRecord, sections: readonly SiteSectionRecord[]): string | undefined {
  if (sections.length === 0) return site.defaultSiteSpace;
  return (sections.find(({ _id }) => _id === site.defaultSection) ?? sections[0])?.defaultSiteSpace;
}
