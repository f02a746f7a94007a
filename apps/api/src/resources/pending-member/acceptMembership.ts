import { ApiError, notFound, type AcceptMembership } from '@bindery/contract';
import {
  addMembers,
  changeTree,
  Member,
  PendingMember,
  pendingMemberId,
  type PendingMemberRecord,
} from '@bindery/models';

/**
 * Accepts an organization's request: the user becomes a member, or its provider may sign in as them. A member
 * keeps their role.
 *
 * @param accepted  names `sso` explicitly: an admin can replace a request between the time it is read and the
 *   time it is accepted
 * @throws not_found when there is no request, it was withdrawn or has expired, or the admin who made it is no
 *   longer one; conflict when it asks for more
 */
export async function acceptMembership(
  { organization, user }: Pick<PendingMemberRecord, 'organization' | 'user'>,
  accepted: AcceptMembership,
): Promise<void> {
  const _id = pendingMemberId({ organization, user });
  // Checked before the transaction, which blocks others of the same organization.
  if (!(await PendingMember.exists({ _id })))
    throw notFound('open request of the organization', organization);
  await changeTree(organization, async (session) => {
    const filter = { _id, expiresAt: { $gt: new Date() } };
    const pending = await PendingMember.findOneAndDelete(filter, { session }).lean<PendingMemberRecord>();
    const isAskerAdmin = await Member.exists({
      organization,
      user: pending?.askedBy ?? '',
      role: 'admin',
    }).session(session);
    if (!pending || !isAskerAdmin) throw notFound('open request of the organization', organization);
    const { joins, role, sso } = pending;
    if (sso && !accepted.sso) {
      throw new ApiError(
        'conflict',
        'The organization also asks to sign in as you through its SAML provider.',
        {
          action: 'Send `sso: true` to accept that too, or decline the request.',
        },
      );
    }
    const isNew = joins && (await addMembers(organization, [{ user, role, sso }], session)).length > 0;
    if (sso && !isNew)
      await Member.updateOne(
        { organization, user },
        { $set: { sso: true }, $inc: { version: 1 } },
        { session },
      );
  });
}
