import type { MemberRecord } from '@bindery/models';
import { hasRole } from './role.ts';

/** Permissions of a member of an organization on another one (`target`), or on itself. */
export function memberPermissions({
  member,
  target,
}: {
  member: Pick<MemberRecord, 'role' | 'user'>;
  target: Pick<MemberRecord, 'user'>;
}): { remove: boolean } {
  return { remove: hasRole(member.role, 'admin') || member.user === target.user };
}
