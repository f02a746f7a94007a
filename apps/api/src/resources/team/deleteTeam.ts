import {
  Grant,
  lockTree,
  Member,
  refreshAccess,
  refreshSiteAccess,
  SamlProvider,
  Team,
  withTransaction,
  type GrantRecord,
  type TeamRecord,
} from '@bindery/models';

/** Removes a team with everything that refers to it: nobody is in it any more, what was granted to it is gone, and no provider puts people into it. */
export async function deleteTeam({ _id, organization }: Pick<TeamRecord, '_id' | 'organization'>): Promise<void> {
  await withTransaction(async (session) => {
    await lockTree(organization, session);
    await Team.deleteOne({ _id, organization }, { session });
    await Member.updateMany({ 'teams.team': _id }, { $pull: { teams: { team: _id } } }, { session });
    const grants = await Grant.find({ principal: _id, organization }).session(session).lean<GrantRecord[]>();
    await Grant.deleteMany({ _id: { $in: grants.map((grant) => grant._id) } }, { session });
    const [sites = [], content = []] = [true, false].map((areSites) =>
      grants.filter(({ targetType }) => (targetType === 'site') === areSites).map(({ target }) => target),
    );
    if (content.length > 0) await refreshAccess(content, session);
    if (sites.length > 0) await refreshSiteAccess(sites, session);
    await SamlProvider.updateMany({ defaultTeam: _id }, { $unset: { defaultTeam: 1 }, $inc: { version: 1 } }, { session });
  });
}
