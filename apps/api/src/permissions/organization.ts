import type { OrganizationPermission } from '@bindery/contract';
import type { MemberRecord } from '@bindery/models';
import { hasRole } from './role.ts';

/** What a member may do in an organization; `role` is null for a guest, who is a member all the same. */
export function organizationPermissions({ role, teams }: Pick<MemberRecord, 'role' | 'teams'>): Record<OrganizationPermission, boolean> {
  const isAdmin = hasRole(role, 'admin');
  const mayCreate = hasRole(role, 'create');
  return {
    view: true,
    access: true,
    admin: isAdmin,
    ownTeam: teams.some((team) => team.role === 'owner'),
    createContent: mayCreate,
    createOpenAPISpec: mayCreate,
    ingestConversations: isAdmin,
    viewBilling: isAdmin,
    listMembers: true,
    listTeams: true,
    listIntegrations: true,
    listInstallations: isAdmin,
    installIntegration: isAdmin,
  };
}
