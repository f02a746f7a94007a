import { Member, type MemberRecord } from '../../organization/organization.ts';
import { User, type UserRecord } from '../../organization/user.ts';
import { changeRecords, type Migration } from '../migration.ts';

const isOld = { displayName: { $exists: false } };

export const nameMembers: Migration = {
  name: 'nameMembers',
  summary: 'copies the names of users to their memberships, for searches',
  isBreaking: true,
  ...changeRecords<MemberRecord>('members', isOld, async (member) => {
    const user = await User.findById(member.user).lean<UserRecord>();
    const { displayName = '', email } = user ?? {};
    await Member.updateOne(
      { _id: member._id, ...isOld },
      { $set: { teams: [], displayName, ...(email !== undefined && { email }), version: 1 } },
    );
  }),
};
