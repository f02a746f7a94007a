import type { Role } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { organizationPermissions } from './organization.ts';
import { hasRole } from './role.ts';
import { accessBelow } from '@bindery/models';
import { roleInContent, roleInSite, shownLevel } from './access.ts';
import { spacePermissions } from './space.ts';

const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const satisfies Role[];

const member = (role: Role | null, teams: { team: string; role: 'owner' | 'member' }[] = []) => ({
  role,
  user: 'ann',
  teams,
});

/** The names of the granted permissions. */
const allowed = (permissions: Record<string, boolean>) =>
  Object.entries(permissions)
    .filter(([, is]) => is)
    .map(([name]) => name)
    .toSorted();

describe('roles', () => {
  it('include all lower roles and no higher role', () => {
    for (const [rank, role] of roles.entries()) {
      for (const [other, needed] of roles.entries()) expect(hasRole(role, needed)).toBe(rank >= other);
      expect(hasRole(null, role)).toBe(false);
    }
  });
});

describe('permissions in a space', () => {
  it.each([
    [null, []],
    ['read', ['access', 'view']],
    ['comment', ['access', 'comment', 'view']],
    ['edit', ['access', 'comment', 'edit', 'view']],
    ['review', ['access', 'comment', 'edit', 'merge', 'review', 'view']],
    ['create', ['access', 'comment', 'edit', 'merge', 'review', 'triggerGitSync', 'view', 'viewInviteLinks']],
    [
      'admin',
      ['access', 'admin', 'comment', 'edit', 'merge', 'review', 'triggerGitSync', 'view', 'viewInviteLinks'],
    ],
  ] as [Role | null, string[]][])('of the role %s are %j', (role, expected) => {
    expect(allowed(spacePermissions({ role }))).toEqual(expected);
  });

  it.each([
    // An admin has that role everywhere; a guest sees only granted content.
    ['admin', null, 'admin'],
    ['admin', 'read', 'admin'],
    [null, 'admin', null],
    [null, 'inherit', null],
    // For all others the level of the space decides, whether it is higher or lower.
    ['read', 'edit', 'edit'],
    ['create', 'comment', 'comment'],
    ['create', null, null],
    ['review', 'inherit', 'review'],
  ] as [Role | null, Role | 'inherit' | null, Role | null][])(
    'of a member with the role %s at the default level %s are those of the role %s',
    (role, defaultLevel, expected) => {
      expect(roleInContent({ member: member(role), access: accessBelow(undefined, { defaultLevel }) })).toBe(
        expected,
      );
    },
  );

  it('show the default role of the organization for an inherited level', () => {
    const shown = (defaultLevel: Role | 'inherit' | null, defaultRole: Role | null) =>
      shownLevel(accessBelow(undefined, { defaultLevel }), { defaultRole });
    expect(shown('inherit', 'comment')).toBe('comment');
    expect(shown('inherit', null)).toBeNull();
    expect(shown('read', 'comment')).toBe('read');
    expect(shown(null, 'comment')).toBeNull();
  });
});

describe('granted access', () => {
  const granted = (...grants: [principal: string, role: Role][]) => ({
    defaultLevel: 'inherit' as const,
    grants: grants.map(([principal, role]) => ({ principal, role })),
  });
  const roleOf = (who: ReturnType<typeof member>, access: ReturnType<typeof accessBelow>) =>
    roleInContent({ member: who, access });

  it('overrides the default level and the role of the member, for guests too; the highest grant counts', () => {
    const above = accessBelow(undefined, granted(['ann', 'comment'], ['team', 'review']));
    const here = accessBelow(above, { ...granted(['ann', 'read'], ['bob', 'admin']), defaultLevel: null });
    expect(roleOf(member(null), above)).toBe('comment');
    expect(roleOf(member('create'), here)).toBe('comment');
    expect(roleOf(member(null, [{ team: 'team', role: 'member' }]), here)).toBe('review');
    expect(roleOf({ ...member('create'), user: 'eve' }, above)).toBe('create');
    expect(roleOf({ ...member('create'), user: 'eve' }, here)).toBeNull();
    expect(here.readers.toSorted()).toEqual(['ann', 'bob', 'team']);
    expect(above.readers.toSorted()).toEqual(['ann', 'members', 'team']);
  });

  it('uses the nearest explicit default level', () => {
    const closed = accessBelow(undefined, { defaultLevel: null });
    expect(accessBelow(closed, { defaultLevel: 'inherit' }).level).toBeNull();
    expect(accessBelow(closed, { defaultLevel: 'read' }).level).toBe('read');
  });

  it('can only raise the role of a member in a site', () => {
    const access = accessBelow(undefined, granted(['ann', 'edit']));
    expect(roleInSite({ member: member('create'), access })).toBe('create');
    expect(roleInSite({ member: member('read'), access })).toBe('edit');
    expect(roleInSite({ member: member(null), access })).toBe('edit');
    expect(roleInSite({ member: { ...member(null), user: 'eve' }, access })).toBeNull();
  });
});

describe('permissions in an organization', () => {
  it('let the owner of a team manage it', () => {
    expect(organizationPermissions(member('read', [{ team: 't', role: 'owner' }])).ownTeam).toBe(true);
    expect(organizationPermissions(member('read', [{ team: 't', role: 'member' }])).ownTeam).toBe(false);
  });

  const anyMember = ['access', 'listIntegrations', 'listMembers', 'listTeams', 'view'];
  const creator = [...anyMember, 'createContent', 'createOpenAPISpec'];
  const admin = [
    ...creator,
    'admin',
    'ingestConversations',
    'installIntegration',
    'listInstallations',
    'viewBilling',
  ];

  it.each([
    [null, anyMember],
    ['read', anyMember],
    ['review', anyMember],
    ['create', creator],
    ['admin', admin],
  ] as [Role | null, string[]][])('of the role %s are %j', (role, expected) => {
    expect(allowed(organizationPermissions(member(role)))).toEqual(expected.toSorted());
  });
});
