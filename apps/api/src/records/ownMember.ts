import { Member, type MemberRecord, type SpaceRecord } from '@bindery/models';
import type { Actor } from '../http/actor.ts';
import { roleInContent } from '../permissions/access.ts';
import { throughToken, type ActingMember } from '../permissions/tokenLimits.ts';

// Memberships of callers must be read here only: a query elsewhere would ignore the limits of the token.

/** The caller's membership in an organization, within the limits of its token. */
export async function findOwnMember(actor: Actor, organization: string): Promise<ActingMember | undefined> {
  const member = await Member.findOne({ user: actor.user.id, organization }).lean<MemberRecord>();
  return member ? throughToken(member, actor) : undefined;
}

/**
 * The caller's memberships in organizations that its token reaches as a whole; in all, or in the given ones.
 */
export async function findOwnMembers(
  actor: Actor,
  organizations?: readonly string[],
): Promise<ActingMember[]> {
  const members = await Member.find({
    user: actor.user.id,
    ...(organizations && { organization: { $in: organizations } }),
  }).lean<MemberRecord[]>();
  return members.flatMap((member) => throughToken(member, actor) ?? []).filter(({ limit }) => !limit?.spaces);
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
  const byKey = new Map(members.map((member) => [`${member.user} ${member.organization}`, member]));
  return (actor, organization) => {
    const member = byKey.get(`${actor.user.id} ${organization}`);
    return member && throughToken(member, actor);
  };
}
