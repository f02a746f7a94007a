import { ApiError } from '@bindery/contract';
import {
  addMembers,
  changeTree,
  createNamedUser,
  holdTeam,
  Member,
  Organization,
  User,
  type ClientSession,
  type DomainRule,
  type MemberRecord,
  type OrganizationRecord,
  type SamlProviderRecord,
  type UserRecord,
} from '@bindery/models';
import type { SamlPerson } from '@bindery/sign-in';
import { mustAccept } from '../resources/organization/emailDomains.ts';

/**
 * Finds the user whom a provider of an organization has signed in. A new user, and one who is no member yet,
 * joins with the role and the team in the provider's settings.
 *
 * A provider signs in as users of the verified e-mail domains of its organization, and as members who have
 * agreed to it: it could name any address.
 *
 * @returns the id of the user
 * @throws forbidden for another address
 */
export async function admitSamlUser(
  provider: SamlProviderRecord,
  { person, domainRule }: { person: SamlPerson; domainRule: DomainRule },
): Promise<string> {
  const { organization: id } = provider;
  return changeTree(id, async (session) => {
    const organization = await Organization.findById(id).session(session).lean<OrganizationRecord>();
    if (!organization) throw refused();
    const known = await User.findOne({ email: person.email }).session(session).lean<UserRecord>();
    const member = known && (await memberOf(id, known._id, session));
    const isTrusted = !mustAccept(person.email, { organization, domainRule });
    if (!isTrusted && !member?.sso) throw refused();
    if (member) return member.user;
    const user = known?._id ?? (await createNamedUser(person, session));
    await addMembers(id, [{ user, role: provider.defaultRole, sso: true }], session);
    await joinTeam(provider, { user, session });
    return user;
  });
}

async function memberOf(
  organization: string,
  user: string,
  session: ClientSession,
): Promise<Pick<MemberRecord, 'user' | 'sso'> | null> {
  return Member.findOne({ organization, user }, { user: 1, sso: 1 })
    .session(session)
    .lean<Pick<MemberRecord, 'user' | 'sso'>>();
}

async function joinTeam(
  { organization, defaultTeam: team }: SamlProviderRecord,
  { user, session }: { user: string; session: ClientSession },
): Promise<void> {
  if (team === undefined || !(await holdTeam({ _id: team, organization }, session))) return;
  await Member.updateOne({ organization, user }, { $push: { teams: { team, role: 'member' } } }, { session });
}

function refused(): ApiError {
  return new ApiError(
    'forbidden',
    'The identity provider signed you in with an e-mail address in no verified domain of the organization.',
    {
      action:
        'Ask an admin to verify the domain, or to invite you and turn on single sign-on for your membership.',
    },
  );
}
