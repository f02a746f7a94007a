import type { Role, SpacePermission } from '@bindery/contract';
import type { MemberRecord, OrganizationRecord, SpaceRecord } from '@bindery/models';
import { hasRole } from './role.ts';

/** The level at which a space is open to the members of its organization: its own, or what it inherits. */
export function defaultLevelOf(
  space: Pick<SpaceRecord, 'defaultLevel'>,
  organization: Pick<OrganizationRecord, 'defaultRole'>,
): Role | null {
  return space.defaultLevel === 'inherit' ? organization.defaultRole : space.defaultLevel;
}

/**
 * What a member may do at most in a space: an organization's admin everything; else the space's own level;
 * else, while it inherits, the member's role. null is no access.
 */
export function roleInSpace({
  member,
  space,
}: {
  member: Pick<MemberRecord, 'role'>;
  space: Pick<SpaceRecord, 'defaultLevel'>;
}): Role | null {
  if (member.role === 'admin') return 'admin';
  // A guest sees only what was granted to it.
  if (member.role === null) return null;
  return space.defaultLevel === 'inherit' ? member.role : space.defaultLevel;
}

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
