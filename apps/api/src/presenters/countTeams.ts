import { Member, Space, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../permissions/access.ts';

/** How many members are in a team, and how many spaces were granted to it. */
export type TeamCounts = { members: number; spaces: number };

/**
 * The counts of some teams of one organization, in two queries however many they are.
 *
 * Of the spaces, only those that the caller sees count: nobody learns from a number that there is something
 * closed to them.
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
