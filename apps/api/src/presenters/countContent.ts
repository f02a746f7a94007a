import { everyMember, Site, Space, type MemberRecord } from '@bindery/models';
import { visibleTo } from '../permissions/access.ts';

/** How many spaces and sites a member can access. */
export type ContentCounts = { spaces: number; sites: number };

type Member = Pick<MemberRecord, 'role' | 'user' | 'teams'>;

/**
 * Counts the spaces and sites that each of several members of one organization can access, in six queries for
 * any number of members.
 *
 * Counts only content that the caller can see too, so that a number does not reveal closed content.
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
    // Content granted to these members or their teams, grouped by its set of readers; there are few such
    // sets.
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

/** The names under which content is granted to this member: its user id and its teams. */
function ownNames({ user, teams }: Member): string[] {
  return [user, ...teams.map(({ team }) => team)];
}
