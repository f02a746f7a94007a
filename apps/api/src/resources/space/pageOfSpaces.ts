import type { Space } from '@bindery/contract';
import {
  Space as SpaceModel,
  type CollectionRecord,
  type MemberRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { visibleTo } from '../../permissions/access.ts';
import { bySiblings, findPage } from '../../records/findPage.ts';
import type { Links } from '../../presenters/links.ts';
import { showSpaces } from './showSpaces.ts';

type Viewer = { links: Links; organization: OrganizationRecord; member: MemberRecord };

/**
 * The spaces of an organization that the member may see, newest first. Other spaces are neither listed nor
 * counted.
 */
export async function pageOfSpaces(
  { links, organization, member }: Viewer,
  query: PageQuery,
): Promise<Page<Space>> {
  const filter = { organization: organization._id, isDeleted: false, ...visibleTo(member) };
  const { rows, ...page } = await findPage<SpaceRecord>(SpaceModel, filter, query);
  return { ...page, items: await showSpaces(rows, { links, organization, member }) };
}

/** The spaces directly in a collection, in the order of the collection. */
export async function pageOfSpacesInCollection(
  { collection, links, organization, member }: Viewer & { collection: CollectionRecord },
  query: PageQuery,
): Promise<Page<Space>> {
  const filter = { siblingsOf: collection._id, isDeleted: false, ...visibleTo(member) };
  const { rows, ...page } = await findPage<SpaceRecord>(SpaceModel, filter, { ...query, order: bySiblings });
  return { ...page, items: await showSpaces(rows, { links, organization, member }) };
}
