import type { Role } from '@bindery/contract';
import type { ChangeRequestRecord } from '@bindery/models';
import { hasRole } from './role.ts';

/**
 * Who may review is said by the role in the space; who was asked to may do it too, with the role that
 * discussions take.
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
