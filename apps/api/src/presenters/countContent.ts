import { everyMember, Site, Space, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../permissions/access.ts';

/** How many spaces and sites a member can access. */
export type ContentCounts = { spaces: number; sites: number };

type Member = Pick<MemberRecord, 'role' | 'user' | 'teams'>;

/**
 * Counts for some members of one organization what each can access, in six queries however many there are.
 *
 * Only what the caller sees counts too: nobody learns from a number that there is something closed to them.
 */
export async function countContent(
  members: readonly Member[],
  caller: MemberRecord,
): Promise<(member: Member) => ContentCounts> {
  const { organization } = caller;
  const [spaces, sites] = await Promise.all([
    countAccess(Space, { filter: { organization, isDeleted: false }, members, caller }),
    countAccess(Site, { filter: { organization }, members, caller }),
  ]);
  return (member) => ({ spaces: spaces(member), sites: sites(member) });
}

/** The part of a mongoose model that this needs. */
type Accessible = {
  countDocuments(filter: object): PromiseLike<number>;
  aggregate(pipeline: object[]): PromiseLike<unknown[]>;
};

async function countAccess(
  model: Accessible,
  { filter, members, caller }: { filter: object; members: readonly Member[]; caller: Member },
): Promise<(member: Member) => number> {
  const seen = (also: object) => ({ $and: [filter, visibleTo(caller), also] });
  const open = { 'access.readers': everyMember };
  const names = [...new Set(members.filter(({ role }) => role !== 'admin').flatMap(ownNames))];
  const [all, openToAll, groups] = await Promise.all([
    model.countDocuments(seen({})),
    model.countDocuments(seen(open)),
    // What was granted to them or their teams, grouped by everybody to whom it was granted: those are few
    // groups.
    model.aggregate([
      { $match: seen({ 'access.readers': { $in: names } }) },
      { $group: { _id: '$access.readers', count: { $sum: 1 } } },
    ]) as PromiseLike<{ _id: string[]; count: number }[]>,
  ]);
  return (member) => {
    if (member.role === 'admin') return all;
    const own = ownNames(member);
    const granted = groups
      .filter(
        ({ _id: readers }) =>
          own.some((name) => readers.includes(name)) &&
          (member.role === null || !readers.includes(everyMember)),
      )
      .reduce((sum, { count }) => sum + count, 0);
    return member.role === null ? granted : openToAll + granted;
  };
}

/** Under which something was granted to this member itself. */
function ownNames({ user, teams }: Member): string[] {
  return [user, ...teams.map(({ team }) => team)];
}
