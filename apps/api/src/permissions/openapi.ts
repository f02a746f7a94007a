import type { OpenAPISpecPermission, Role } from '@bindery/contract';
import { hasRole } from './role.ts';

/** What a member may do with the specifications of its organization. */
export function openapiPermissions({ role }: { role: Role | null }): Record<OpenAPISpecPermission, boolean> {
  return { view: true, edit: hasRole(role, 'create') };
}
