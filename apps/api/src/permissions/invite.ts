import type { Role } from '@bindery/contract';
import { hasRole } from './role.ts';

/** Whether an invite to a role gives more than the inviter has; null is no role. */
export function gives(role: Role | null, has: Role | null): boolean {
  return role !== null && !hasRole(has, role);
}
