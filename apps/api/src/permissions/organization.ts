import type { OrganizationPermission, Role } from '@bindery/contract';
import { hasRole } from './role.ts';

/** What a member may do in an organization; `role` is null for a guest, who is a member all the same. */
export function organizationPermissions({ role }: { role: Role | null }): Record<OrganizationPermission, boolean> {
  const isAdmin = hasRole(role, 'admin');
  const mayCreate = hasRole(role, 'create');
  return {
    view: true,
    access: true,
    admin: isAdmin,
    ownTeam: false,
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
