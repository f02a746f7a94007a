import { changeTree, Member, removeGrantsOf, SamlProvider, Team, type TeamRecord } from '@bindery/models';

/**
 * Removes a team with everything that refers to it: nobody is in it any more, what was granted to it is gone,
 * and no provider puts people into it.
 */
export async function deleteTeam({
  _id,
  organization,
}: Pick<TeamRecord, '_id' | 'organization'>): Promise<void> {
  await changeTree(organization, async (session) => {
    await removeGrantsOf({ principal: _id, organization }, session);
    await Team.deleteOne({ _id, organization }, { session });
    await Member.updateMany({ 'teams.team': _id }, { $pull: { teams: { team: _id } } }, { session });
    await SamlProvider.updateMany(
      { defaultTeam: _id },
      { $unset: { defaultTeam: 1 }, $inc: { version: 1 } },
      { session },
    );
  });
}
