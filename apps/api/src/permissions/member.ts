import type { MemberRecord } from '@bindery/models';
import { hasRole } from './role.ts';

/** What a member of an organization may do with another one (`target`), or with itself. */
export function memberPermissions({
  member,
  target,
}: {
  member: Pick<MemberRecord, 'role' | 'user'>;
  target: Pick<MemberRecord, 'user'>;
}): { remove: boolean } {
  return { remove: hasRole(member.role, 'admin') || member.user === target.user };
}
