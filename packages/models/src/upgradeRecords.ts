import { accessBelow } from './access.ts';
import { Member, type MemberRecord } from './organization.ts';
import { positionAtEnd, siblingModels } from './positions.ts';
import { noCounts, Space, type SpaceRecord } from './space.ts';
import { User, type UserRecord } from './user.ts';

/** Gives records of an earlier version of the platform the fields that they lack. Safe to run at any time and by several processes at once. */
export async function upgradeRecords(): Promise<void> {
  for await (const space of Space.find({ siblingsOf: { $exists: false } })
    .lean<SpaceRecord>()
    .cursor()) {
    const siblingsOf = space.parent ?? space.organization;
    const fields = {
      ancestors: [],
      siblingsOf,
      position: await positionAtEnd(siblingModels, siblingsOf),
      access: accessBelow(undefined, space),
      counts: noCounts,
      lastChangeRequest: 0,
      isDeleted: space.deletedAt !== undefined,
      version: 1,
    };
    await Space.updateOne({ _id: space._id, siblingsOf: { $exists: false } }, { $set: fields });
  }
  for await (const member of Member.find({ displayName: { $exists: false } })
    .lean<MemberRecord>()
    .cursor()) {
    const user = await User.findById(member.user).lean<UserRecord>();
    const { displayName = '', email } = user ?? {};
    await Member.updateOne({ _id: member._id }, { $set: { teams: [], displayName, ...(email !== undefined && { email }), version: 1 } });
  }
}
