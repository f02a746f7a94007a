import { duplicateSpace } from '@bindery/content';
import type { Role } from '@bindery/contract';
import {
  accessBelow,
  Collection,
  type CollectionRecord,
  type MemberRecord,
  type SpaceRecord,
} from '@bindery/models';
import { roleInContent } from '../../permissions/access.ts';
import { requireCreation } from '../collection/destination.ts';

/**
 * Duplicates a space beside the original, for a member who may create content there.
 *
 * If the original is closed and the member sees it only through a grant, the copy grants the member the same
 * role.
 * @param role  the role of the caller in the original
 * @throws forbidden
 */
export async function copySpace(
  space: SpaceRecord,
  { member, role }: { member: MemberRecord; role: Role },
): Promise<SpaceRecord> {
  const above =
    space.parent === undefined ? null : await Collection.findById(space.parent).lean<CollectionRecord>();
  requireCreation(above ?? undefined, member);
  const isSeen = roleInContent({ member, access: accessBelow(above?.access, space) }) !== null;
  const grants = isSeen ? [] : [{ principalType: 'user' as const, principal: member.user, role }];
  return duplicateSpace({ space, createdBy: member.user, grants });
}
