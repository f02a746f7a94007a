import { Space, type MemberRecord } from '@bindery/models';

/**
 * What a member may not see of an organization's jobs, as a filter: those about deleted spaces, and about spaces that are closed to the member.
 * Such spaces are few, both are the exception; a guest sees none at all.
 */
export async function withoutHiddenSubjects(organization: string, { role }: Pick<MemberRecord, 'role'>): Promise<Record<string, unknown>> {
  if (role === null) return { _id: { $in: [] } };
  const deleted = { deletedAt: { $exists: true } };
  const hidden = await Space.distinct('_id', {
    organization,
    ...(role === 'admin' ? deleted : { $or: [deleted, { defaultLevel: null }] }),
  });
  return hidden.length > 0 ? { 'subject.id': { $nin: hidden } } : {};
}
