import type { OpenAPISpecPermission, Role } from '@bindery/contract';
import { hasRole } from './role.ts';

/**
 * Permissions of a member on a specification of its organization.
 *
 * @param seesSpec  true for members; for guests if it is public or shown in one of their spaces
 */
export function openapiPermissions(
  { role }: { role: Role | null },
  { seesSpec }: { seesSpec: boolean },
): Record<OpenAPISpecPermission, boolean> {
  return { view: seesSpec, edit: hasRole(role, 'create') };
}
