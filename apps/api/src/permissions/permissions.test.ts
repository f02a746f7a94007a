import type { Role } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { organizationPermissions } from './organization.ts';
import { hasRole } from './role.ts';
import { defaultLevelOf, roleInSpace, spacePermissions } from './space.ts';

const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const satisfies Role[];

/** The names of what is allowed. */
const allowed = (permissions: Record<string, boolean>) =>
  Object.entries(permissions)
    .filter(([, is]) => is)
    .map(([name]) => name)
    .toSorted();

describe('roles', () => {
  it('include all that stand below them, and none includes what is above', () => {
    for (const [rank, role] of roles.entries()) {
      for (const [other, needed] of roles.entries()) expect(hasRole(role, needed)).toBe(rank >= other);
      expect(hasRole(null, role)).toBe(false);
    }
  });
});

describe('in a space', () => {
  it.each([
    [null, []],
    ['read', ['access', 'view']],
    ['comment', ['access', 'comment', 'view']],
    ['edit', ['access', 'comment', 'edit', 'view']],
    ['review', ['access', 'comment', 'edit', 'merge', 'review', 'view']],
    ['create', ['access', 'comment', 'edit', 'merge', 'review', 'triggerGitSync', 'view', 'viewInviteLinks']],
    ['admin', ['access', 'admin', 'comment', 'edit', 'merge', 'review', 'triggerGitSync', 'view', 'viewInviteLinks']],
  ] as [Role | null, string[]][])('%s may %j', (role, expected) => {
    expect(allowed(spacePermissions({ role }))).toEqual(expected);
  });

  it.each([
    // An admin stays one everywhere; a guest sees only what was granted.
    ['admin', null, 'admin'],
    ['admin', 'read', 'admin'],
    [null, 'admin', null],
    [null, 'inherit', null],
    // The space's own level counts for all others, up and down.
    ['read', 'edit', 'edit'],
    ['create', 'comment', 'comment'],
    ['create', null, null],
    ['review', 'inherit', 'review'],
  ] as [Role | null, Role | 'inherit' | null, Role | null][])(
    'a member who is %s has in one with the level %s the role %s',
    (role, defaultLevel, expected) => {
      expect(roleInSpace({ member: { role }, space: { defaultLevel } })).toBe(expected);
    },
  );

  it('the level that is inherited is that of the organization', () => {
    expect(defaultLevelOf({ defaultLevel: 'inherit' }, { defaultRole: 'comment' })).toBe('comment');
    expect(defaultLevelOf({ defaultLevel: 'inherit' }, { defaultRole: null })).toBeNull();
    expect(defaultLevelOf({ defaultLevel: 'read' }, { defaultRole: 'comment' })).toBe('read');
    expect(defaultLevelOf({ defaultLevel: null }, { defaultRole: 'comment' })).toBeNull();
  });
});

describe('in an organization', () => {
  const member = ['access', 'listIntegrations', 'listMembers', 'listTeams', 'view'];
  const creator = [...member, 'createContent', 'createOpenAPISpec'];
  const admin = [...creator, 'admin', 'ingestConversations', 'installIntegration', 'listInstallations', 'viewBilling'];

  it.each([
    [null, member],
    ['read', member],
    ['review', member],
    ['create', creator],
    ['admin', admin],
  ] as [Role | null, string[]][])('%s may %j', (role, expected) => {
    expect(allowed(organizationPermissions({ role }))).toEqual(expected.toSorted());
  });
});
