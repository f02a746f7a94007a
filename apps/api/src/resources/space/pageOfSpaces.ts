import type { Space } from '@bindery/contract';
import { Space as SpaceModel, type CollectionRecord, type MemberRecord, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { visibleTo } from '../../permissions/access.ts';
import { bySiblings, findPage } from '../../records/findPage.ts';
import { showSpaces } from './showSpaces.ts';

type Viewer = { organization: OrganizationRecord; member: MemberRecord };

/** The spaces of an organization that the member may see, newest first. What it may not see is neither listed nor counted. */
export async function pageOfSpaces({ organization, member }: Viewer, query: PageQuery): Promise<Page<Space>> {
  const filter = { organization: organization._id, isDeleted: false, ...visibleTo(member) };
  const { rows, ...page } = await findPage<SpaceRecord>(SpaceModel, filter, query);
  return { ...page, items: await showSpaces(rows, { organization, member }) };
}

/** Those that stand directly in a collection, as they are arranged there. */
export async function pageOfSpacesInCollection(
  { collection, organization, member }: Viewer & { collection: CollectionRecord },
  query: PageQuery,
): Promise<Page<Space>> {
  const filter = { siblingsOf: collection._id, isDeleted: false, ...visibleTo(member) };
  const { rows, ...page } = await findPage<SpaceRecord>(SpaceModel, filter, { ...query, order: bySiblings });
  return { ...page, items: await showSpaces(rows, { organization, member }) };
}
