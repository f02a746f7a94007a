import type { InvitedUsers, InviteUsers, Role } from '@bindery/contract';
import { addMembers, changeTree, findOrCreateUsers, Member, type OrganizationRecord } from '@bindery/models';

/**
 * Makes everybody with these e-mail addresses a member, also those whom the platform does not know yet. Who is a member stays as they are.
 *
 * With `sso` the new ones sign in through the organization's provider; except those who are members of another organization too, because that one
 * would lose them to a provider that it does not know.
 */
export async function inviteUsers(
  { _id, defaultRole }: OrganizationRecord,
  { emails, role = defaultRole, sso = false }: InviteUsers,
): Promise<InvitedUsers> {
  const invited = new Map<string, Role | null>();
  for (const entry of emails) {
    const one = typeof entry === 'string' ? { email: entry, role } : entry;
    if (!invited.has(one.email)) invited.set(one.email, one.role);
  }
  return changeTree(_id, async (session) => {
    const ids = await findOrCreateUsers([...invited.keys()], session);
    const elsewhere = new Set(
      sso ? await Member.distinct('user', { user: { $in: [...ids.values()] }, organization: { $ne: _id } }).session(session) : [],
    );
    const joining = [...invited].flatMap(([email, given]) => {
      const user = ids.get(email);
      return user === undefined ? [] : [{ email, user, role: given, sso: sso && !elsewhere.has(user) }];
    });
    const added = new Set((await addMembers(_id, joining, session)).map(({ user }) => user));
    const failed = joining.filter(({ user }) => added.has(user) && elsewhere.has(user)).map(({ email }) => email);
    return { users: [...added], invited: added.size, ...(failed.length > 0 && { failedSSOEmails: failed }) };
  });
}
