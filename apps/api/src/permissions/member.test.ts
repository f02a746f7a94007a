import type { Role } from '@bindery/contract';
import { expect, it } from 'vitest';
import { gives } from './invite.ts';
import { memberPermissions } from './member.ts';
import { organizationPermissions } from './organization.ts';

const roles: (Role | null)[] = ['admin', 'create', 'review', 'edit', 'comment', 'read', null];

it('a member can remove only itself, and an admin can remove anyone', () => {
  for (const role of roles) {
    expect(memberPermissions({ member: { role, user: 'ann' }, target: { user: 'ann' } })).toEqual({
      remove: true,
    });
    expect(memberPermissions({ member: { role, user: 'ann' }, target: { user: 'bob' } })).toEqual({
      remove: role === 'admin',
    });
  }
});

it('an invite only raises a lower role', () => {
  for (const [rank, role] of roles.entries())
    for (const [other, has] of roles.entries())
      expect(gives(role, has), `${role} to ${has}`).toBe(other > rank);
});

it('a caller who is not a member has no permissions in an organization', () => {
  expect(Object.values(organizationPermissions(undefined))).not.toContain(true);
});
