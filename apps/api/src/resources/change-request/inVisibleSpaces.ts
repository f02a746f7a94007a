import { Space, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../../permissions/access.ts';

/**
 * A filter for records whose `space` a member may see.
 *
 * Most members see most spaces, so the filter excludes the others: deleted spaces and those closed to the
 * member. For a guest it lists the visible spaces.
 */
export async function inVisibleSpaces(
  organization: string,
  member: Pick<MemberRecord, 'role' | 'user' | 'teams'>,
): Promise<{ space?: { $in: string[] } | { $nin: string[] } }> {
  const visible = visibleTo(member)['access.readers'];
  if (member.role === null) {
    return {
      space: { $in: await Space.distinct('_id', { organization, isDeleted: false, ...visibleTo(member) }) },
    };
  }
  const closed =
    visible &&
    Space.distinct('_id', { organization, isDeleted: false, 'access.readers': { $nin: visible.$in } });
  const hidden = await Promise.all([Space.distinct('_id', { organization, isDeleted: true }), closed ?? []]);
  return hidden.flat().length > 0 ? { space: { $nin: hidden.flat() } } : {};
}
