import type { Role, SpacePermission } from '@bindery/contract';
import { hasRole } from './role.ts';

export function spacePermissions({ role }: { role: Role | null }): Record<SpacePermission, boolean> {
  return {
    view: hasRole(role, 'read'),
    access: hasRole(role, 'read'),
    comment: hasRole(role, 'comment'),
    edit: hasRole(role, 'edit'),
    review: hasRole(role, 'review'),
    merge: hasRole(role, 'review'),
    triggerGitSync: hasRole(role, 'create'),
    viewInviteLinks: hasRole(role, 'create'),
    admin: hasRole(role, 'admin'),
    installIntegration: false,
  };
}
