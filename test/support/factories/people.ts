import type { Role, TeamRole } from '@bindery/contract';
import {
  createApiToken,
  createOrganization,
  createUser,
  Grant,
  Invite,
  lockTree,
  Member,
  newMember,
  refreshAccess,
  refreshSiteAccess,
  Organization,
  SamlProvider,
  Team,
  withTransaction,
  type CollectionRecord,
  type GrantRecord,
  type InviteRecord,
  type OrganizationRecord,
  type SamlProviderRecord,
  type SiteRecord,
  type SpaceRecord,
  type TeamRecord,
  type UserRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';

/** A user with a token. */
export type TestUser = { user: UserRecord; token: string; tokenId: string };

export async function buildUser({
  displayName = 'Ada',
  isOperator = false,
  email = `${newId()}@example.org`,
}: Partial<Pick<UserRecord, 'displayName' | 'isOperator' | 'email'>> = {}): Promise<TestUser> {
  const user = await createUser({ displayName, isOperator, email });
  return { user, ...(await buildToken(user)) };
}

export async function buildToken(
  user: UserRecord,
  limits: Omit<Parameters<typeof createApiToken>[0], 'userId' | 'label'> = {},
): Promise<{ token: string; tokenId: string }> {
  const { token, record } = await createApiToken({ userId: user._id, label: 'Test', ...limits });
  return { token, tokenId: record._id };
}

/**
 * Creates an organization with its admin. Its e-mail domains are proven, unless `provenEmailDomains` is
 * given.
 */
export async function buildOrganization({
  title = 'Org',
  ...fields
}: Partial<OrganizationRecord> = {}): Promise<{
  organization: OrganizationRecord;
  admin: TestUser;
}> {
  const admin = await buildUser({ displayName: 'Admin' });
  const organization = await createOrganization({ title, userId: admin.user._id });
  if (Object.keys(fields).length === 0) return { organization, admin };
  const proven = fields.emailDomains && { provenEmailDomains: fields.emailDomains };
  await Organization.updateOne({ _id: organization._id }, { $set: { ...proven, ...fields } });
  return { organization: { ...organization, ...proven, ...fields }, admin };
}

/** @param role  null is a guest */
export async function buildMember(
  organization: OrganizationRecord,
  role: Role | null,
  fields: { email?: string } = {},
): Promise<TestUser> {
  const member = await buildUser({ displayName: role ?? 'guest', ...fields });
  await Member.create(newMember(member.user, { organization: organization._id, role }));
  return member;
}

/** Adds a user to another organization. */
export async function buildMembership(
  organization: OrganizationRecord,
  { user }: TestUser,
  role: Role | null,
): Promise<void> {
  await Member.create(newMember(user, { organization: organization._id, role }));
}

/** @param members  the members of the team, with their roles */
export async function buildTeam(
  organization: OrganizationRecord,
  {
    title = 'Team',
    members = [],
  }: { title?: string; members?: readonly (readonly [TestUser, TeamRole])[] } = {},
): Promise<TeamRecord> {
  const team: TeamRecord = {
    _id: newId(),
    organization: organization._id,
    title,
    version: 1,
    createdAt: new Date(),
  };
  await Team.create(team);
  for (const [{ user }, role] of members)
    await Member.updateOne(
      { organization: organization._id, user: user._id },
      { $push: { teams: { team: team._id, role } } },
    );
  return team;
}

export async function buildSamlProvider(
  organization: OrganizationRecord,
  fields: Partial<SamlProviderRecord> = {},
): Promise<SamlProviderRecord> {
  const provider: SamlProviderRecord = {
    _id: newId(),
    organization: organization._id,
    label: 'Sign-in',
    defaultRole: null,
    status: 'pending',
    version: 1,
    createdAt: new Date(),
    ...fields,
  };
  await SamlProvider.create(provider);
  return provider;
}

/** @param target  the target of the invite; by default the organization */
export async function buildInvite(
  organization: OrganizationRecord,
  { role = 'read', target }: Partial<Pick<InviteRecord, 'role' | 'target'>> = {},
): Promise<InviteRecord> {
  const invite: InviteRecord = {
    _id: newId(),
    organization: organization._id,
    role,
    ...(target && { target }),
    version: 1,
    createdBy:
      (await Member.findOne({ organization: organization._id, role: 'admin' }).lean())?.user ?? 'nobody',
    createdAt: new Date(),
  };
  await Invite.create(invite);
  return invite;
}

type GrantTarget = { space: SpaceRecord } | { collection: CollectionRecord } | { site: SiteRecord };

function targetOf(target: GrantTarget) {
  if ('space' in target) return ['space', target.space] as const;
  if ('site' in target) return ['site', target.site] as const;
  return ['collection', target.collection] as const;
}

/** Grants a user or a team a role in a space, a collection or a site. */
export async function buildGrant(
  target: GrantTarget,
  principal: TestUser | TeamRecord,
  role: Role,
): Promise<GrantRecord> {
  const [targetType, record] = targetOf(target);
  const grant: GrantRecord = {
    _id: newId(),
    organization: record.organization,
    targetType,
    target: record._id,
    principalType: 'user' in principal ? 'user' : 'team',
    principal: 'user' in principal ? principal.user._id : principal._id,
    role,
    createdAt: new Date(),
  };
  await withTransaction(async (session) => {
    await lockTree(record.organization, session);
    await Grant.create([grant], { session });
    await (targetType === 'site' ? refreshSiteAccess : refreshAccess)([record._id], session);
  });
  return grant;
}
