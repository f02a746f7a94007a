import {
  Member,
  Organization,
  type MemberRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import type { Actor } from '../http/actor.ts';
import { roleInContent } from '../permissions/access.ts';
import { mustSignIn, signInRequired } from '../permissions/singleSignOn.ts';
import { throughToken, type ActingMember } from '../permissions/tokenLimits.ts';

// Memberships of callers must be read here only: a query elsewhere would ignore the limits of the token, and
// required single sign-on.

/**
 * The caller's membership in an organization, within the limits of its token.
 *
 * @param loading  the organization, for a caller that loads it too
 * @throws forbidden when the organization requires a sign-in through its provider
 */
export async function findOwnMember(
  actor: Actor,
  organization: string,
  loading?: Promise<Pick<OrganizationRecord, 'sso'> | null>,
): Promise<ActingMember | undefined> {
  const member = await Member.findOne({ user: actor.user.id, organization }).lean<MemberRecord>();
  const acting = member ? throughToken(member, actor) : undefined;
  if (!acting || !mustSignIn(acting, actor)) return acting;
  const requires = loading ? (await loading)?.sso : (await requireSignIn([organization])).has(organization);
  if (requires) throw signInRequired();
  return acting;
}

/**
 * The caller's memberships in organizations that its token reaches as a whole; in all, or in the given ones.
 * Those that require a sign-in through their provider are left out.
 */
export async function findOwnMembers(
  actor: Actor,
  organizations?: readonly string[],
): Promise<ActingMember[]> {
  const members = await Member.find({
    user: actor.user.id,
    ...(organizations && { organization: { $in: organizations } }),
  }).lean<MemberRecord[]>();
  const closed = await requireSignIn(
    members.filter((member) => mustSignIn(member, actor)).map(({ organization }) => organization),
  );
  return members
    .filter(({ organization }) => !closed.has(organization))
    .flatMap((member) => throughToken(member, actor) ?? [])
    .filter(({ limit }) => !limit?.spaces);
}

/** Those of the organizations that require single sign-on. No query for none. */
async function requireSignIn(organizations: readonly string[]): Promise<ReadonlySet<string>> {
  if (organizations.length === 0) return new Set();
  const found = await Organization.find({ _id: { $in: organizations }, sso: true }, { _id: 1 }).lean<
    { _id: string }[]
  >();
  return new Set(found.map(({ _id }) => _id));
}

/** Tells which spaces of an organization the caller may open. */
export async function spacesSeenBy(
  actor: Actor,
  organization: string,
): Promise<(space: SpaceRecord) => boolean> {
  const member = await findOwnMember(actor, organization);
  return ({ _id: id, access }) => member !== undefined && roleInContent({ member, access, id }) !== null;
}

/** The memberships of several callers in these organizations, as a look-up function. */
export async function findMembersOf(
  actors: readonly Actor[],
  organizations: readonly string[],
): Promise<(actor: Actor, organization: string) => ActingMember | undefined> {
  const users = [...new Set(actors.map(({ user }) => user.id))];
  const members = await Member.find({ user: { $in: users }, organization: { $in: organizations } }).lean<
    MemberRecord[]
  >();
  const closed = await requireSignIn([
    ...new Set(members.filter(({ sso }) => sso).map(({ organization }) => organization)),
  ]);
  const byKey = new Map(members.map((member) => [`${member.user} ${member.organization}`, member]));
  return (actor, organization) => {
    const member = byKey.get(`${actor.user.id} ${organization}`);
    if (!member || (closed.has(organization) && mustSignIn(member, actor))) return undefined;
    return throughToken(member, actor);
  };
}
