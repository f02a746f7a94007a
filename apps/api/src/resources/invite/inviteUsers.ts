import type { InvitedUsers, InviteUsers, Role } from '@bindery/contract';
import {
  addMembers,
  askUsers,
  changeTree,
  findOrCreateUsers,
  Member,
  type DomainRule,
  type MemberRecord,
  type OrganizationRecord,
} from '@bindery/models';
import { mustAccept } from '../organization/emailDomains.ts';

/**
 * Makes the users with these e-mail addresses members, and creates unknown users. Existing users must accept
 * first. Does not change existing members.
 *
 * With `sso`, new members sign in through the organization's provider once they have accepted this. Users in
 * a proven domain of the organization need not accept; but if they are members of another organization too,
 * which does not know this provider, `sso` does not apply to them. For other users the answer does not reveal
 * such a membership.
 */
export async function inviteUsers(
  {
    domainRule,
    signInRule,
    organization,
    member,
  }: {
    domainRule: DomainRule;
    signInRule: DomainRule;
    organization: OrganizationRecord;
    member: MemberRecord;
  },
  { emails, role = organization.defaultRole, sso = organization.sso ?? false }: InviteUsers,
): Promise<InvitedUsers> {
  const { _id } = organization;
  const invited = new Map<string, Role | null>();
  for (const entry of emails) {
    const one = typeof entry === 'string' ? { email: entry, role } : entry;
    if (!invited.has(one.email)) invited.set(one.email, one.role);
  }
  return changeTree(_id, async (session) => {
    const users = await findOrCreateUsers([...invited.keys()], session);
    const ids = [...users.values()].map(({ id }) => id);
    const members = new Set(
      await Member.distinct('user', { user: { $in: ids }, organization: _id }).session(session),
    );
    const elsewhere = new Set(
      sso
        ? await Member.distinct('user', { user: { $in: ids }, organization: { $ne: _id } }).session(session)
        : [],
    );
    const joining = [...users]
      .filter(([, { id }]) => !members.has(id))
      .map(([email, { id, isNew }]) => {
        const isAsked = mustAccept(email, { organization, domainRule });
        const isSsoPending = mustAccept(email, { organization, domainRule: signInRule });
        return {
          email,
          user: id,
          role: invited.get(email) ?? null,
          sso: sso && (isSsoPending || !elsewhere.has(id)),
          // A user created here cannot accept now, and becomes a member at once. Sign-in through the provider
          // is a lasting right, so the user is asked about it later.
          isPending: isAsked && !isNew,
          isSsoPending,
        };
      });
    const added = joining.filter(({ isPending }) => !isPending);
    await addMembers(
      _id,
      added.map((one) => ({ ...one, sso: one.sso && !one.isSsoPending })),
      session,
    );
    const asked = joining.filter((one) => one.isPending || (one.sso && one.isSsoPending));
    await askUsers(
      asked.map(({ email, user, role: given, sso: asksSso, isPending }) => ({
        organization: _id,
        user,
        email,
        joins: isPending,
        role: given,
        sso: asksSso,
        askedBy: member.user,
      })),
      session,
    );
    const pending = joining.filter(({ isPending }) => isPending).map(({ user }) => user);
    const failed = joining.filter((one) => sso && !one.sso).map(({ email }) => email);
    return {
      users: joining.map(({ user }) => user),
      invited: joining.length,
      pending: pending.length > 0 ? pending : undefined,
      failedSSOEmails: failed.length > 0 ? failed : undefined,
    };
  });
}
