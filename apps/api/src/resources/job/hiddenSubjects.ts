import { Space, Translation, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../../permissions/access.ts';

/**
 * A filter that excludes the jobs of an organization that a member may not see: jobs on removed objects, on
 * deleted spaces, and on spaces that are closed to the member or their translations. Such spaces are the
 * exception. Guests see only jobs of their spaces.
 */
export async function withoutHiddenSubjects(
  organization: string,
  member: Pick<MemberRecord, 'role' | 'user' | 'teams'>,
): Promise<Record<string, unknown>> {
  const visible = visibleTo(member)['access.readers'];
  const [deleted, closed] = await Promise.all([
    Space.distinct('_id', { organization, isDeleted: true }),
    visible ? Space.distinct('_id', { organization, 'access.readers': { $nin: visible.$in } }) : [],
  ]);
  const hidden = [...deleted, ...closed];
  const translations =
    closed.length > 0
      ? await Translation.distinct('_id', { organization, 'source.space': { $in: closed } })
      : [];
  return {
    isSubjectGone: { $ne: true },
    ...(hidden.length > 0 && {
      'subject.id': { $nin: [...hidden, ...translations] },
      space: { $nin: hidden },
    }),
    ...(member.role === null && { 'subject.type': { $nin: ['openapi-spec', 'translation'] } }),
  };
}
