import { Space, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../../permissions/access.ts';

/**
 * What a member may not see of an organization's jobs, as a filter: those about what was removed, about deleted spaces, and about spaces that are
 * closed to the member. Such spaces are the exception.
 */
export async function withoutHiddenSubjects(
  organization: string,
  member: Pick<MemberRecord, 'role' | 'user' | 'teams'>,
): Promise<Record<string, unknown>> {
  const visible = visibleTo(member)['access.readers'];
  const deleted = { isDeleted: true };
  const hidden = await Space.distinct('_id', {
    organization,
    ...(visible ? { $or: [deleted, { 'access.readers': { $nin: visible.$in } }] } : deleted),
  });
  return { isSubjectGone: { $ne: true }, ...(hidden.length > 0 && { 'subject.id': { $nin: hidden }, space: { $nin: hidden } }) };
}
