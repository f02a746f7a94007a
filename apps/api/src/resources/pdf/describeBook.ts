import { findLatestVersions, loadPageIndex, loadRevision, loadSpecsNamed } from '@bindery/content';
import { notFound, type PDFQuery } from '@bindery/contract';
import { Organization, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { withinTime } from '@bindery/publishing';
import type { ActingMember } from '../../permissions/tokenLimits.ts';
import type { Platform } from '../../platform.ts';
import { visibleSpecs } from '../openapi-spec/specsOfGuest.ts';
import { findLogo } from './findLogo.ts';

/**
 * The part of the input that the PDFs of spaces and of change requests share. All who see the same
 * specifications share one file: members do, and few guests see others.
 *
 * @throws not_found for a page that the revision does not have
 */
export async function describeBook(
  space: SpaceRecord,
  {
    revision,
    query,
    platform,
    member,
  }: { revision: string; query: PDFQuery; platform: Platform; member: ActingMember },
) {
  const { page, only, pageSize } = query;
  if (page !== undefined) await requirePage(space, { revision, page });
  const [organization, logo, specs] = await Promise.all([
    Organization.findById(space.organization, { title: 1 }).lean<Pick<OrganizationRecord, 'title'>>(),
    findLogo(space, platform),
    findSpecs(space, { revision, platform, member }),
  ]);
  return {
    spaceId: space._id,
    revision,
    page,
    only,
    pageSize,
    title: space.title,
    author: organization?.title ?? '',
    language: space.language ?? 'en',
    logo,
    appUrl: platform.links.appUrl,
    specs: specs.length > 0 ? Object.fromEntries(specs) : undefined,
  };
}

/** The versions of the specifications in the content that the member may see, in the order of their names. */
async function findSpecs(
  { _id, organization }: SpaceRecord,
  {
    revision: id,
    platform: { links },
    member,
  }: { revision: string; platform: Platform; member: ActingMember },
): Promise<[name: string, version: string][]> {
  // A token for single spaces sees no specifications.
  if (member.limit?.spaces) return [];
  const revision = await loadRevision(_id, id);
  const names = await withinTime(async (signal) => loadSpecsNamed(revision, { signal }));
  if (names.size === 0) return [];
  const versions = await findLatestVersions(organization, names, await visibleSpecs({ links, member }));
  return [...versions]
    .map(([name, version]): [string, string] => [name, version.id])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function requirePage(
  space: SpaceRecord,
  { revision: id, page }: { revision: string; page: string },
): Promise<void> {
  const revision = await loadRevision(space._id, id);
  const { byId } = await loadPageIndex(space.organization, revision.pages);
  const found = byId.get(page);
  // A link has nothing to print.
  if (!found || !('pages' in found.page)) throw notFound('page', page);
}
