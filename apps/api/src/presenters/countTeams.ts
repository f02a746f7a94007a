import { Member, Space, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../permissions/access.ts';

/** Number of members of a team, and of spaces granted to it. */
export type TeamCounts = { members: number; spaces: number };

/**
 * Counts members and spaces of teams of one organization, in two queries for any number of teams.
 *
 * Counts only spaces that the caller can see, so that a number does not reveal closed spaces.
 */
export async function countTeams(
  caller: Pick<MemberRecord, 'organization' | 'role' | 'user' | 'teams'>,
  ids: readonly string[],
): Promise<(id: string) => TeamCounts> {
  if (ids.length === 0) return () => ({ members: 0, spaces: 0 });
  const [members, spaces] = await Promise.all([
    Member.aggregate<Count>([
      { $match: { 'teams.team': { $in: ids } } },
      { $project: { of: '$teams.team' } },
      { $unwind: '$of' },
      { $match: { of: { $in: ids } } },
      { $group: { _id: '$of', count: { $sum: 1 } } },
    ]),
    Space.aggregate<Count>([
      {
        $match: {
          $and: [
            { organization: caller.organization, isDeleted: false, 'access.readers': { $in: ids } },
            visibleTo(caller),
          ],
        },
      },
      { $project: { of: '$access.readers' } },
      { $unwind: '$of' },
      { $match: { of: { $in: ids } } },
      { $group: { _id: '$of', count: { $sum: 1 } } },
    ]),
  ]);
  const [membersOf, spacesOf] = [members, spaces].map(
    (counts) => new Map(counts.map(({ _id, count }) => [_id, count])),
  );
  return (id) => ({ members: membersOf?.get(id) ?? 0, spaces: spacesOf?.get(id) ?? 0 });
}

type Count = { _id: string; count: number };
