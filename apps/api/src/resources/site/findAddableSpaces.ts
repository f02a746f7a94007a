import { invalid } from '@bindery/contract';
import { Space, type MemberRecord, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { visibleTo } from '../../permissions/access.ts';

/**
 * The spaces with these ids, in the given order, for a member who adds them to a site: spaces of the
 * organization that the member can see.
 *
 * @param path  position of the ids in the request
 * @throws invalid_request for every other id, whether the space exists or not
 */
export async function findAddableSpaces(
  ids: readonly string[],
  {
    organization,
    member,
    path,
  }: { organization: Pick<OrganizationRecord, '_id'>; member: MemberRecord; path: string },
): Promise<SpaceRecord[]> {
  const found = await Space.find({
    _id: { $in: ids },
    organization: organization._id,
    isDeleted: false,
    ...visibleTo(member),
  }).lean<SpaceRecord[]>();
  const byId = new Map(found.map((space) => [space._id, space]));
  return ids.map((id, index) => {
    const space = byId.get(id);
    if (!space) throw invalid(path, 'is not the id of a space of this organization that you may see.');
    if (ids.indexOf(id) !== index) throw invalid(path, 'names a space twice.');
    return space;
  });
}
