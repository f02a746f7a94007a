import type { Role } from '@bindery/contract';
import { rankOf } from '@bindery/models';

/** Whether a role includes what `needed` allows; no role allows nothing. */
export function hasRole(role: Role | null, needed: Role): boolean {
  return role !== null && rankOf(role) >= rankOf(needed);
}

/** A permissions object with each key qualified by its kind, as routes name it: `space.view`. */
export function qualified<Kind extends string, P extends string>(
  kind: Kind,
  permissions: Record<P, boolean>,
): Record<`${Kind}.${P}`, boolean> {
  return Object.fromEntries(
    Object.entries(permissions).map(([name, value]) => [`${kind}.${name}`, value]),
  ) as Record<`${Kind}.${P}`, boolean>;
}
