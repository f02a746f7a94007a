import { notFound, type Problem, type TeamRole, type UpdateTeamMembers } from '@bindery/contract';
import {
  holdTeam,
  Member,
  serialized,
  User,
  singleWrite,
  withTransaction,
  type ClientSession,
  type MemberRecord,
  type TeamRecord,
  type UserRecord,
} from '@bindery/models';
import { invalidRequest } from '../../http/input/validation.ts';

/**
 * Adds members of the organization to a team, removes some, and sets their roles in it, all or nothing.
 *
 * A member who is already in the team keeps their role unless `memberships` sets another. A user in both
 * `add` and `remove` is removed.
 * @throws invalid_request for users who are not members of the organization, or who are in `memberships` but
 *   not in the resulting team
 */
export async function changeTeamMembers(team: TeamRecord, changes: UpdateTeamMembers): Promise<void> {
  await changing(team, async (session) => {
    const { add = [], remove = [], memberships = {} } = changes;
    const people = await findPeople(
      team,
      { entries: [...add, ...remove], users: Object.keys(memberships) },
      session,
    );
    const removed = new Set(remove.flatMap((entry) => people.idOf(entry) ?? []));
    const added = new Set(
      add.flatMap((entry) => people.idOf(entry) ?? []).filter((id) => !removed.has(id) && !people.isIn(id)),
    );
    const problems: Problem[] = [
      ...unknownOf('add', add, people),
      ...unknownOf('remove', remove, people),
      ...Object.keys(memberships)
        .filter((id) => removed.has(id) || !(added.has(id) || people.isIn(id)))
        .map((id) => ({ path: `body.memberships.${id}`, message: 'is not in the team after these changes' })),
    ];
    if (problems.length > 0) throw invalidRequest(problems);
    await takeOut(team, [...removed], session);
    const roles = new Map([...added].map((id): [string, TeamRole] => [id, 'member']));
    for (const [id, { role }] of Object.entries(memberships)) roles.set(id, role);
    await setRoles(team, roles, session);
  });
}

/**
 * Adds a member to a team, or changes their role in it.
 *
 * @throws not_found when the user is not a member of the organization
 */
export async function setTeamMember(team: TeamRecord, user: string, role: TeamRole): Promise<void> {
  await changing(team, async (session) => {
    if (!(await Member.exists({ organization: team.organization, user }).session(session)))
      throw notFound('member', user);
    await setRoles(team, new Map([[user, role]]), session);
  });
}

/** Removes a user from a team; does nothing if the user is not in it. */
export async function removeTeamMember(team: TeamRecord, user: string): Promise<void> {
  await singleWrite((session) => takeOut(team, [user], session));
}

async function changing(team: TeamRecord, work: (session: ClientSession) => Promise<void>): Promise<void> {
  await serialized(`team:${team._id}`, () =>
    withTransaction(async (session) => {
      if (!(await holdTeam(team, session))) throw notFound('team', team._id);
      await work(session);
    }),
  );
}

async function takeOut(
  { _id, organization }: TeamRecord,
  users: readonly string[],
  session: ClientSession | undefined,
): Promise<void> {
  if (users.length === 0) return;
  await Member.updateMany(
    { organization, user: { $in: users } },
    { $pull: { teams: { team: _id } } },
    { session },
  );
}

async function setRoles(
  { _id, organization }: TeamRecord,
  roles: ReadonlyMap<string, TeamRole>,
  session: ClientSession,
): Promise<void> {
  for (const [role, pairs] of Map.groupBy(roles, ([, given]) => given)) {
    const members = { organization, user: { $in: pairs.map(([id]) => id) } };
    await Member.updateMany(
      { ...members, 'teams.team': _id },
      { $set: { 'teams.$[here].role': role } },
      { session, arrayFilters: [{ 'here.team': _id }] },
    );
    await Member.updateMany(
      { ...members, 'teams.team': { $ne: _id } },
      { $push: { teams: { team: _id, role } } },
      { session },
    );
  }
}

type People = {
  /** The id of the member of the organization with this id or e-mail address, if any. */
  idOf(entry: string): string | undefined;
  /** Whether a member is currently in the team. */
  isIn(id: string): boolean;
};

async function findPeople(
  { _id, organization }: TeamRecord,
  { entries, users }: { entries: readonly string[]; users: readonly string[] },
  session: ClientSession,
): Promise<People> {
  const emails = entries.filter((entry) => entry.includes('@'));
  const withEmail = await User.find(
    { email: { $in: emails.flatMap((email) => [email, email.toLowerCase()]) } },
    { email: 1 },
  )
    .session(session)
    .lean<Pick<UserRecord, '_id' | 'email'>[]>();
  const byEmail = new Map(withEmail.map(({ _id: id, email }) => [email, id]));
  const ids = [...entries, ...users, ...byEmail.values()];
  const members = await Member.find({ organization, user: { $in: ids } }, { user: 1, teams: 1 })
    .session(session)
    .lean<Pick<MemberRecord, 'user' | 'teams'>[]>();
  const known = new Map(members.map(({ user, teams }) => [user, teams.some(({ team }) => team === _id)]));
  return {
    idOf: (entry) =>
      [entry, byEmail.get(entry), byEmail.get(entry.toLowerCase())].find(
        (id) => id !== undefined && known.has(id),
      ),
    isIn: (id) => known.get(id) === true,
  };
}

function unknownOf(field: 'add' | 'remove', entries: readonly string[], people: People): Problem[] {
  return entries.flatMap((entry, i) =>
    people.idOf(entry) === undefined
      ? [
          {
            path: `body.${field}[${i}]`,
            message: 'is neither the id nor the e-mail address of a member of this organization',
          },
        ]
      : [],
  );
}
