import { Space, Translation, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../../permissions/access.ts';

/**
 * What a member may not see of an organization's jobs, as a filter: those about what was removed, about
 * deleted spaces, and about spaces that are closed to the member, or translations of them. Such spaces are
 * the exception. Guests see jobs of their spaces only.
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
