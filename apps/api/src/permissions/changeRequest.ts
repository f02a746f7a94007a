import type { Role } from '@bindery/contract';
import type { ChangeRequestRecord } from '@bindery/models';
import { hasRole } from './role.ts';

/**
 * Permissions on a change request. The role in the space decides who may review; a requested reviewer may
 * review too, given the role that comments require.
 */
export function changeRequestPermissions({
  role,
  user,
  changeRequest,
}: {
  role: Role | null;
  user: string;
  changeRequest: Pick<ChangeRequestRecord, 'requestedReviewers'>;
}): { review: boolean } {
  const isAsked = changeRequest.requestedReviewers.some((reviewer) => reviewer.user === user);
  return { review: hasRole(role, 'review') || (isAsked && hasRole(role, 'comment')) };
}
