import type { CreateTeam } from '@bindery/contract';
import { Member, Team, withTransaction, type MemberRecord, type TeamRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { invalidRequest } from '../../http/input/validation.ts';

/**
 * Creates a team owned by its creator.
 *
 * @throws invalid_request when a user in `members` is not a member of the organization; then no team is
 *   created
 */
export async function createTeam(
  { organization, user }: MemberRecord,
  { title, members = [] }: CreateTeam,
): Promise<TeamRecord> {
  const team: TeamRecord = {
    _id: newId(),
    organization,
    title: title.trim(),
    version: 1,
    createdAt: new Date(),
  };
  const others = [...new Set(members)].filter((id) => id !== user);
  await withTransaction(async (session) => {
    const found = new Set(
      await Member.distinct('user', { organization, user: { $in: members } }).session(session),
    );
    const problems = members.flatMap((id, i) =>
      found.has(id)
        ? []
        : [{ path: `body.members[${i}]`, message: 'is not the id of a member of this organization' }],
    );
    if (problems.length > 0) throw invalidRequest(problems);
    await Team.create([team], { session });
    await Member.updateOne(
      { organization, user },
      { $push: { teams: { team: team._id, role: 'owner' } } },
      { session },
    );
    await Member.updateMany(
      { organization, user: { $in: others } },
      { $push: { teams: { team: team._id, role: 'member' } } },
      { session },
    );
  });
  return team;
}
