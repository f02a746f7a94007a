import type { Space } from '@bindery/contract';
import { Space as SpaceModel, type MemberRecord, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { cutPage, type Page, type PageQuery } from '../../http/paging.ts';
import { roleInSpace } from '../../permissions/space.ts';
import { afterPlace, newestFirst, placeOf } from '../newestFirst.ts';
import { presentSpace } from './space.presenter.ts';

/** The spaces of an organization that the member may see, newest first. What it may not see is neither listed nor counted. */
export async function pageOfSpaces(
  { organization, member }: { organization: OrganizationRecord; member: MemberRecord },
  { limit, after }: PageQuery,
): Promise<Page<Space>> {
  const visible = { organization: organization._id, deletedAt: { $exists: false }, ...visibleTo(member) };
  const [count, spaces] = await Promise.all([
    SpaceModel.countDocuments(visible),
    SpaceModel.find({ ...visible, ...(after && afterPlace(after)) })
      .sort(newestFirst)
      .limit(limit + 1)
      .lean<SpaceRecord[]>(),
  ]);
  const { items, next } = cutPage(spaces, limit, placeOf);
  return { count, next, items: items.map((space) => presentSpace(space, { role: roleInSpace({ member, space }), organization })) };
}

/** The same rule as roleInSpace, as a filter. */
function visibleTo(member: MemberRecord) {
  if (member.role === 'admin') return {};
  if (member.role === null) return { _id: { $in: [] } };
  return { defaultLevel: { $ne: null } };
}
