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
 * a proven domain of the organization need not accept. Other organizations of a user make no difference:
 * single sign-on is for the access to one organization.
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
    const joining = [...users]
      .filter(([, { id }]) => !members.has(id))
      .map(([email, { id, isNew }]) => {
        const isAsked = mustAccept(email, { organization, domainRule });
        const isSsoPending = sso && mustAccept(email, { organization, domainRule: signInRule });
        return {
          email,
          user: id,
          role: invited.get(email) ?? null,
          // A user created here cannot accept now, and becomes a member at once. Sign-in through the provider
          // is a lasting right, so the user is asked about it later.
          isPending: isAsked && !isNew,
          isSsoPending,
        };
      });
    const added = joining.filter(({ isPending }) => !isPending);
    await addMembers(
      _id,
      added.map((one) => ({ ...one, sso: sso && !one.isSsoPending })),
      session,
    );
    const asked = joining.filter(({ isPending, isSsoPending }) => isPending || isSsoPending);
    await askUsers(
      asked.map(({ email, user, role: given, isPending }) => ({
        organization: _id,
        user,
        email,
        joins: isPending,
        role: given,
        sso,
        askedBy: member.user,
      })),
      session,
    );
    const pending = joining.filter(({ isPending }) => isPending).map(({ user }) => user);
    return {
      users: joining.map(({ user }) => user),
      invited: joining.length,
      pending: pending.length > 0 ? pending : undefined,
    };
  });
}
