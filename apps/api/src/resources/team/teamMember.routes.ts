import { AddTeamMember, Id, TeamMember, UpdateTeamMembers } from '@bindery/contract';
import { inTeam } from './team.scope.ts';
import { changeTeamMembers, removeTeamMember, setTeamMember } from './changeTeamMembers.ts';
import { pageOfTeamMembers } from './pageOfTeamMembers.ts';

export const teamMemberRoutes = [
  inTeam.list(
    '/members',
    {
      operationId: 'listTeamMembersInOrganizationById',
      summary: 'List the members of a team',
      permission: 'team.view',
      item: TeamMember,
    },
    async ({ platform: { links }, team, member, query }) => pageOfTeamMembers({ links, team, member }, query),
  ),

  inTeam.put(
    '/members',
    {
      operationId: 'updateMembersInOrganizationTeam',
      summary: 'Add and remove members of a team, and change their roles in it',
      description:
        'All or nothing. `add` and `remove` take ids or e-mail addresses of members of the organization.',
      permission: 'team.admin',
      body: UpdateTeamMembers.default({}),
      status: 204,
    },
    async ({ team, body }) => changeTeamMembers(team, body),
  ),

  inTeam.put(
    '/members/:userId',
    {
      operationId: 'addMemberToOrganizationTeamById',
      summary: 'Add a member to a team, or change their role in it',
      permission: 'team.admin',
      params: { userId: Id },
      body: AddTeamMember.default({ role: 'member' }),
      status: 204,
    },
    async ({ team, params, body }) => setTeamMember(team, params.userId, body.role),
  ),

  inTeam.delete(
    '/members/:userId',
    {
      operationId: 'deleteMemberFromOrganizationTeamById',
      summary: 'Remove a member from a team',
      permission: 'team.admin',
      params: { userId: Id },
    },
    async ({ team, params }) => removeTeamMember(team, params.userId),
  ),
];
