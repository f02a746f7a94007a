import type { OrganizationPermission } from '@bindery/contract';
import type { MemberRecord } from '@bindery/models';
import { hasRole } from './role.ts';

/**
 * Permissions of a user in an organization.
 *
 * @param member  undefined for a user who is not a member; a guest is a member with the role null
 */
export function organizationPermissions(
  member: Pick<MemberRecord, 'role' | 'teams'> | undefined,
): Record<OrganizationPermission, boolean> {
  const { role = null, teams = [] } = member ?? {};
  const isMember = member !== undefined;
  const isAdmin = hasRole(role, 'admin');
  const mayCreate = hasRole(role, 'create');
  return {
    view: isMember,
    access: isMember,
    admin: isAdmin,
    ownTeam: teams.some((team) => team.role === 'owner'),
    createContent: mayCreate,
    createOpenAPISpec: mayCreate,
    ingestConversations: isAdmin,
    viewBilling: isAdmin,
    listMembers: isMember,
    listTeams: isMember,
    listIntegrations: isMember,
    listInstallations: isAdmin,
    installIntegration: isAdmin,
  };
}
