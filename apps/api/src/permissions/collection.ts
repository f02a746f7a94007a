import type { CollectionPermission, Role } from '@bindery/contract';
import { hasRole } from './role.ts';

export function collectionPermissions({
  role,
}: {
  role: Role | null;
}): Record<CollectionPermission, boolean> {
  return {
    view: hasRole(role, 'read'),
    create: hasRole(role, 'create'),
    viewInviteLinks: hasRole(role, 'create'),
    admin: hasRole(role, 'admin'),
  };
}
