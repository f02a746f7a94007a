import { CreateTeam, Id, Team, text, UpdateTeam } from '@bindery/contract';
import { Team as TeamModel } from '@bindery/models';
import { z } from 'zod';
import { changeRecord } from '../../records/changeRecord.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { createTeam } from './createTeam.ts';
import { deleteTeam } from './deleteTeam.ts';
import { pageOfTeams } from './pageOfTeams.ts';
import { showTeam } from '../../presenters/showTeams.ts';
import { teamMemberRoutes } from './teamMember.routes.ts';
import { inTeam } from './team.scope.ts';

export const teamRoutes = [
  inOrganization.list(
    '/teams',
    {
      operationId: 'listTeamsInOrganizationById',
      summary: 'List the teams of an organization',
      permission: 'organization.listTeams',
      tags: ['Team'],
      query: z.object({
        owner: Id.optional().describe('Id of a member: only teams that it may manage.'),
        title: text(0, 256).optional().describe('Only teams whose title contains this text, ignoring case.'),
      }),
      item: Team,
    },
    async ({ member, query }) => pageOfTeams(member, query),
  ),

  inOrganization.put(
    '/teams',
    {
      operationId: 'createOrganizationTeam',
      summary: 'Create a team, with the caller as its owner',
      permission: 'organization.admin',
      tags: ['Team'],
      body: CreateTeam,
      response: Team,
      status: 201,
      idempotent: true,
    },
    async ({ member, body }) => {
      const team = await createTeam(member, body);
      return showTeam(team, member);
    },
  ),

  inTeam.get(
    '',
    {
      operationId: 'getTeamInOrganizationById',
      summary: 'Get a team',
      permission: 'team.view',
      response: Team,
      etag: true,
    },
    async ({ team, member, reply }) => {
      reply.version(team.version);
      return showTeam(team, member);
    },
  ),

  inTeam.patch(
    '',
    {
      operationId: 'updateTeamInOrganizationById',
      summary: 'Rename a team',
      permission: 'team.admin',
      body: UpdateTeam,
      response: Team,
      etag: true,
    },
    async ({ team, member, body, reply }) => {
      const changed = await changeRecord(TeamModel, team, { title: body.title.trim() });
      reply.version(changed.version);
      return showTeam(changed, member);
    },
  ),

  inTeam.delete(
    '',
    {
      operationId: 'removeTeamFromOrganizationById',
      summary: 'Delete a team with its grants',
      permission: 'team.admin',
    },
    async ({ team }) => deleteTeam(team),
  ),

  ...teamMemberRoutes,
];
