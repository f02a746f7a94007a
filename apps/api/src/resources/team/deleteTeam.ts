import { changeTree, Member, removeGrantsOf, SamlProvider, Team, type TeamRecord } from '@bindery/models';

/** Deletes a team with its memberships, its grants, and its use as the default team of SAML providers. */
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
