import type { Role, SitePermission } from '@bindery/contract';
import { hasRole } from './role.ts';

/** @param role  the highest role of the caller in the site; `read` for a visitor */
export function sitePermissions({ role }: { role: Role | null }): Record<SitePermission, boolean> {
  return {
    view: hasRole(role, 'read'),
    access: hasRole(role, 'read'),
    edit: hasRole(role, 'create'),
    create: hasRole(role, 'create'),
    admin: hasRole(role, 'admin'),
    installIntegration: false,
    viewAdaptiveSchema: hasRole(role, 'read'),
    editAdaptiveSchema: hasRole(role, 'admin'),
  };
}
