import { Id, notFound } from '@bindery/contract';
import { Team, type TeamRecord } from '@bindery/models';
import { qualified } from '../../permissions/role.ts';
import { teamPermissions } from '../../permissions/team.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/** A team, visible to every member of its organization. */
export const inTeam = inOrganization.scope({
  name: 'Team',
  path: '/teams/:teamId',
  params: { teamId: Id },
  load: async ({ organization, params }) => {
    const team = await Team.findOne({
      _id: params.teamId,
      organization: organization._id,
    }).lean<TeamRecord>();
    if (!team) throw notFound('team', params.teamId);
    return { team };
  },
  permissions: ({ member, team }) => qualified('team', teamPermissions({ member, team })),
  version: ({ team }) => versionOf(Team, { _id: team._id }),
});
