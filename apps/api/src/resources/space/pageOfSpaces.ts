import type { Space } from '@bindery/contract';
import { Space as SpaceModel, type MemberRecord, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/paging.ts';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { findPage } from '../findPage.ts';
import { presentSpace } from './space.presenter.ts';

/** The spaces of an organization that the member may see, newest first. What it may not see is neither listed nor counted. */
export async function pageOfSpaces(
  { organization, member }: { organization: OrganizationRecord; member: MemberRecord },
  query: PageQuery,
): Promise<Page<Space>> {
  const filter = { organization: organization._id, isDeleted: false, ...visibleTo(member) };
  const { rows, ...page } = await findPage<SpaceRecord>(SpaceModel, filter, query);
  return {
    ...page,
    items: rows.map((space) => presentSpace(space, { role: roleInContent({ member, access: space.access }), organization })),
  };
}
