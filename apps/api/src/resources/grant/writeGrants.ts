import { invalid, notFound, type GrantRole, type Role } from '@bindery/contract';
import {
  changeTree,
  Collection,
  Grant,
  holdTeam,
  holdTree,
  Member,
  refreshAccess,
  refreshSiteAccess,
  Site,
  Space,
  type ClientSession,
  type CollectionRecord,
  type GrantRecord,
  type MemberRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { requireAdminBelow } from '../collection/requireAdminBelow.ts';
import type { GrantContext, GrantTarget } from './grantScopes.ts';

/** The object to grant on, and the member who grants. */
type Granting = Pick<GrantContext, 'target' | 'member'>;
type Principal = Pick<GrantRecord, 'principalType' | 'principal'>;

/**
 * Grants a role to users and teams, in place of their earlier grants on this object. Only its admins can call
 * this, and a grant on a collection requires an admin of everything below, so nobody grants more than they
 * have.
 *
 * @throws invalid_request when one of them is not a member or a team of the organization; then nothing is
 *   granted
 * @throws forbidden when the member is not an admin of everything below the collection; every admin of the
 *   collection may remove grants
 */
export async function grantRole(
  { target, member }: Granting,
  { role, users = [], teams = [] }: GrantRole,
): Promise<void> {
  await changeGrants({ target, member }, role, async (session) => {
    await requireMembers(target.organization, users, session);
    await requireTeams(target.organization, teams, session);
    const principals: Principal[] = [
      ...[...new Set(users)].map((principal) => ({ principalType: 'user' as const, principal })),
      ...[...new Set(teams)].map((principal) => ({ principalType: 'team' as const, principal })),
    ];
    if (role === null)
      await Grant.deleteMany(
        { target: target.target, principal: { $in: [...users, ...teams] } },
        { session },
      );
    else await Grant.bulkWrite(principals.map(writeOf(target, role)), { session });
  });
}

/**
 * Changes the grant of one user or team; null removes it.
 *
 * @throws not_found when there is no such grant; forbidden as `grantRole`
 */
export async function changeGrant(
  { target, member }: Granting,
  { principalType, principal }: Principal,
  role: Role | null | undefined,
): Promise<void> {
  await changeGrants({ target, member }, role, async (session) => {
    const filter = { target: target.target, principalType, principal };
    const known = await Grant.findOne(filter).session(session).lean<GrantRecord>();
    if (!known) throw notFound(`permission of a ${principalType}`, principal);
    if (role === null) await Grant.deleteOne({ _id: known._id }, { session });
    else if (role !== undefined) await Grant.updateOne({ _id: known._id }, { $set: { role } }, { session });
  });
}

export async function removeGrant(
  { target, member }: Granting,
  { principalType, principal }: Principal,
): Promise<void> {
  await changeGrants({ target, member }, null, async (session) => {
    await Grant.deleteOne({ target: target.target, principalType, principal }, { session });
  });
}

async function changeGrants(
  { target: { organization, targetType, target }, member }: Granting,
  role: Role | null | undefined,
  change: (session: ClientSession) => Promise<void>,
) {
  const requireRight = async (session?: ClientSession) => {
    if (role && targetType === 'collection') await requireAdminOfAll(target, member, session);
  };
  // Also checked before the transaction, because the check reads all content below.
  await requireRight();
  await changeTree(organization, async (session) => {
    if (targetType !== 'site') await holdTree([target], session);
    // The object may have been deleted or transferred since it was loaded.
    const found = await findTarget(targetType, { _id: target, organization }).session(session);
    if (!found) throw notFound(targetType, target);
    await requireRight(session);
    await change(session);
    if (targetType === 'site') await refreshSiteAccess([target], session);
    else await refreshAccess([target], session);
  });
}

async function requireAdminOfAll(id: string, member: MemberRecord, session?: ClientSession): Promise<void> {
  const collection = await Collection.findById(id)
    .session(session ?? null)
    .lean<CollectionRecord>();
  if (collection) await requireAdminBelow(collection, member, session);
}

function writeOf({ organization, targetType, target }: GrantTarget, role: Role) {
  const createdAt = new Date();
  return ({ principalType, principal }: Principal) => ({
    updateOne: {
      filter: { target, principal },
      update: {
        $set: { role },
        $setOnInsert: { _id: newId(), organization, targetType, principalType, createdAt },
      },
      upsert: true,
    },
  });
}

function findTarget(type: GrantTarget['targetType'], where: { _id: string; organization: string }) {
  if (type === 'space') return Space.exists({ ...where, isDeleted: false });
  return type === 'collection' ? Collection.exists(where) : Site.exists(where);
}

async function requireMembers(
  organization: string,
  users: readonly string[],
  session: ClientSession,
): Promise<void> {
  const known = new Set(
    await Member.distinct('user', { organization, user: { $in: users } }).session(session),
  );
  const stranger = users.findIndex((user) => !known.has(user));
  if (stranger !== -1)
    throw invalid(`body.users[${stranger}]`, 'is not the id of a member or a guest of this organization.');
}

async function requireTeams(
  organization: string,
  teams: readonly string[],
  session: ClientSession,
): Promise<void> {
  for (const [index, _id] of teams.entries()) {
    if (!(await holdTeam({ _id, organization }, session))) {
      throw invalid(`body.teams[${index}]`, 'is not the id of a team of this organization.');
    }
  }
}
