import { emailDomainOf } from '@bindery/contract';
import type { ClientSession } from '../database/connection.ts';
import { effectiveDomainsField, type DomainRule } from '../organization/emailDomains.ts';
import { addMembers, createNamedUser } from '../organization/members.ts';
import { Organization, type OrganizationRecord } from '../organization/organization.ts';
import { User, type UserRecord } from '../organization/user.ts';
import { changeTree } from '../tree/changeTree.ts';
import { addIdentity, findUserByIdentity, hasIdentity, type Identity } from './userIdentity.ts';

const maxOrganizations = 20;

/** A person whom the OpenID Connect provider of the installation has signed in. */
export type SignedInPerson = Identity & {
  /** In lower case, and verified by the provider. */
  email?: string | undefined;
  displayName?: string | undefined;
};

/**
 * Why a person is not admitted: the provider has verified no address; it is that of a user with another
 * identity; or it is in no domain of an organization.
 */
export type AdmissionProblem = 'no_verified_email' | 'other_identity' | 'stranger';

/**
 * Finds the user of an identity. One that is seen for the first time becomes that of the user with its
 * verified address, or of a new user: one in a domain of organizations, which joins them with their default
 * roles, or anybody at all on an installation of a single company.
 *
 * @returns the id of the user
 */
export async function admitOpenIdUser(
  person: SignedInPerson,
  domainRule: DomainRule,
): Promise<{ user: string } | { problem: AdmissionProblem }> {
  const user = await findUserByIdentity(person);
  if (user !== undefined) return { user };
  const { email } = person;
  if (email === undefined) return { problem: 'no_verified_email' };
  const joins = await findOrganizationsOf(email, domainRule);
  return changeTree(joins, async (session) => admit({ ...person, email }, { joins, domainRule, session }));
}

async function admit(
  person: SignedInPerson & { email: string },
  { joins, domainRule, session }: { joins: string[]; domainRule: DomainRule; session: ClientSession },
): Promise<{ user: string } | { problem: AdmissionProblem }> {
  const { email, issuer } = person;
  // The same person may sign in twice at the same moment.
  const user = await findUserByIdentity(person, session);
  if (user !== undefined) return { user };
  const known = await User.findOne({ email }).session(session).lean<UserRecord>();
  if (known && (await hasIdentity({ user: known._id, issuer }, session)))
    return { problem: 'other_identity' };
  if (!known && joins.length === 0 && domainRule === 'proven') return { problem: 'stranger' };
  const admitted = known?._id ?? (await createNamedUser(person, session));
  await addIdentity(admitted, person, session);
  if (!known) await join(admitted, joins, session);
  return { user: admitted };
}

/** The organizations that a new user joins; on an installation with a single one, that one. */
async function findOrganizationsOf(email: string, domainRule: DomainRule): Promise<string[]> {
  const domain = emailDomainOf(email);
  const listing = await Organization.find({ [effectiveDomainsField(domainRule)]: domain }, { _id: 1 })
    .limit(maxOrganizations)
    .lean<{ _id: string }[]>();
  if (listing.length > 0 || domainRule === 'proven') return listing.map(({ _id }) => _id);
  const first = await Organization.find({}, { _id: 1 }).limit(2).lean<{ _id: string }[]>();
  return first.length === 1 ? first.map(({ _id }) => _id) : [];
}

async function join(user: string, organizations: readonly string[], session: ClientSession): Promise<void> {
  const found = await Organization.find({ _id: { $in: organizations } }, { defaultRole: 1, sso: 1 })
    .session(session)
    .lean<Pick<OrganizationRecord, '_id' | 'defaultRole' | 'sso'>[]>();
  for (const { _id, defaultRole: role, sso } of found) await addMembers(_id, [{ user, role, sso }], session);
}
