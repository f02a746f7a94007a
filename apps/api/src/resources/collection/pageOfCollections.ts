import type { Collection } from '@bindery/contract';
import {
  Collection as CollectionModel,
  type CollectionRecord,
  type MemberRecord,
  type OrganizationRecord,
} from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { bySiblings, findPage } from '../../records/findPage.ts';
import type { Links } from '../../presenters/links.ts';
import { presentCollection } from '../../presenters/collection.presenter.ts';

/**
 * The collections of an organization that the member may see, in the order of their parents.
 *
 * @param nested  false omits collections in other collections
 */
export async function pageOfCollections(
  { links, organization, member }: { links: Links; organization: OrganizationRecord; member: MemberRecord },
  { nested, ...query }: PageQuery & { nested: boolean },
): Promise<Page<Collection>> {
  const filter = {
    organization: organization._id,
    ...(!nested && { siblingsOf: organization._id }),
    ...visibleTo(member),
  };
  const { rows, ...page } = await findPage<CollectionRecord>(CollectionModel, filter, {
    ...query,
    order: bySiblings,
  });
  return {
    ...page,
    items: rows.map((collection) =>
      presentCollection(collection, {
        links,
        role: roleInContent({ member, access: collection.access }),
        organization,
      }),
    ),
  };
}
