import { Space, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../../permissions/access.ts';

/**
 * What belongs to the spaces that a member may see, as a filter over records with a `space`.
 *
 * Most members see most spaces, so the filter names the others: deleted ones, and those that are closed to
 * the member. A guest is the opposite.
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
