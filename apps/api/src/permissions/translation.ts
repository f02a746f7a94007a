import type { Role, TranslationPermission } from '@bindery/contract';
import { hasRole } from './role.ts';

/**
 * Permissions of a member on a translation.
 *
 * @param seesSource  whether the member may see the translated space
 */
export function translationPermissions(
  { role }: { role: Role | null },
  { seesSource }: { seesSource: boolean },
): Record<TranslationPermission, boolean> {
  return { view: seesSource, edit: seesSource && hasRole(role, 'create') };
}
