import type { TeamPermission } from '@bindery/contract';
import type { MemberRecord } from '@bindery/models';
import { hasRole } from './role.ts';

/**
 * Permissions of a member on a team of its organization: every member sees all teams; admins and the team's
 * owners manage it.
 */
export function teamPermissions({
  member,
  team,
}: {
  member: Pick<MemberRecord, 'role' | 'teams'>;
  team: { _id: string };
}): Record<TeamPermission, boolean> {
  return {
    view: true,
    admin:
      hasRole(member.role, 'admin') ||
      member.teams.some((own) => own.team === team._id && own.role === 'owner'),
  };
}
