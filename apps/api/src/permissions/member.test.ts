import type { Role } from '@bindery/contract';
import { expect, it } from 'vitest';
import { gives } from './invite.ts';
import { memberPermissions } from './member.ts';
import { organizationPermissions } from './organization.ts';

const roles: (Role | null)[] = ['admin', 'create', 'review', 'edit', 'comment', 'read', null];

it('a member removes itself, an admin everybody', () => {
  for (const role of roles) {
    expect(memberPermissions({ member: { role, user: 'ann' }, target: { user: 'ann' } })).toEqual({
      remove: true,
    });
    expect(memberPermissions({ member: { role, user: 'ann' }, target: { user: 'bob' } })).toEqual({
      remove: role === 'admin',
    });
  }
});

it('an invite gives something to whoever has less', () => {
  for (const [rank, role] of roles.entries())
    for (const [other, has] of roles.entries())
      expect(gives(role, has), `${role} to ${has}`).toBe(other > rank);
});

it('who is no member may nothing in an organization', () => {
  expect(Object.values(organizationPermissions(undefined))).not.toContain(true);
});
