import type { PendingMember, PendingMembership } from '@bindery/contract';
import type { PendingMemberRecord } from '@bindery/models';

/** @param title  of the organization */
export function presentPendingMembership(pending: PendingMemberRecord, title: string): PendingMembership {
  return {
    object: 'pending-membership',
    organization: { id: pending.organization, title },
    ...asked(pending),
  };
}

export function presentPendingMember(pending: PendingMemberRecord): PendingMember {
  const { user: id, email } = pending;
  return { object: 'pending-member', id, email, ...asked(pending) };
}

function asked({ role, joins, sso, createdAt, expiresAt }: PendingMemberRecord) {
  return { role, joins, sso, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
