import { loadPageIndex, loadRevision } from '@bindery/content';
import { notFound, type PDFQuery } from '@bindery/contract';
import { Organization, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import type { Platform } from '../../platform.ts';
import { findLogo } from './findLogo.ts';

/**
 * The part of the input that the PDFs of spaces and of change requests share. It depends on no caller, so
 * that all share one file.
 *
 * @throws not_found for a page that the revision does not have
 */
export async function describeBook(
  space: SpaceRecord,
  { revision, query, platform }: { revision: string; query: PDFQuery; platform: Platform },
) {
  const { page, only, pageSize } = query;
  if (page !== undefined) await requirePage(space, { revision, page });
  const [organization, logo] = await Promise.all([
    Organization.findById(space.organization, { title: 1 }).lean<Pick<OrganizationRecord, 'title'>>(),
    findLogo(space, platform),
  ]);
  return {
    spaceId: space._id,
    revision,
    ...(page !== undefined && { page }),
    only,
    pageSize,
    title: space.title,
    author: organization?.title ?? '',
    language: space.language ?? 'en',
    ...(logo && { logo }),
    appUrl: platform.links.appUrl,
  };
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
