import type { Role } from '@bindery/contract';
import { rankOf } from '@bindery/models';

/** Whether a role includes the rights of `needed`; null includes none. */
export function hasRole(role: Role | null, needed: Role): boolean {
  return role !== null && rankOf(role) >= rankOf(needed);
}

/** A permissions object with each key qualified by its kind, as routes write it: `space.view`. */
export function qualified<Kind extends string, P extends string>(
  kind: Kind,
  permissions: Record<P, boolean>,
): Record<`${Kind}.${P}`, boolean> {
  return Object.fromEntries(
    Object.entries(permissions).map(([name, value]) => [`${kind}.${name}`, value]),
  ) as Record<`${Kind}.${P}`, boolean>;
}
