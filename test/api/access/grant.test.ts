import { Collection, Grant, Space, type CollectionRecord, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildGrant,
  buildMember,
  buildOrganization,
  buildSite,
  buildSpace,
  buildTeam,
  type TestUser,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

// Grants are written and listed in the same way in spaces, collections and sites: each test runs on all
// three.

const kinds = ['space', 'collection', 'site'] as const;

const it = base
  .extend('guest', ({ organization }) => buildMember(organization, null))
  .extend('inTeam', ({ organization }) => buildMember(organization, null))
  .extend('team', ({ organization, inTeam }) => buildTeam(organization, { members: [[inTeam, 'member']] }))
  /** In what something is granted: each describe says it. */
  .extend('kind', 'space' as (typeof kinds)[number])
  .extend('id', async ({ organization, kind }) => {
    const build = { space: buildSpace, collection: buildCollection, site: buildSite }[kind];
    return (await build(organization))._id;
  })
  .extend(
    'path',
    ({ organization, kind, id }) => `/v1${kind === 'site' ? `/orgs/${organization._id}` : ''}/${kind}s/${id}`,
  )
  .extend(
    'call',
    ({ api, admin, path }) =>
      (method: string, more: string, json?: unknown, { token } = admin) =>
        api.call(method, `${path}/permissions${more}`, { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'grant',
    ({ admin, call }) =>
      (json: unknown, user = admin) =>
        call('POST', '', json, user),
  )
  .extend('roleOf', ({ api, path }) => async ({ token }: TestUser) => {
    const { status, body } = await api.call('GET', path, { token });
    if (status !== 200) return status;
    return ['admin', 'create', 'triggerGitSync', 'view'].find((name) => body.permissions[name] === true);
  })
  .extend('listed', ({ call }) => async (more: string) => {
    const { status, body } = await call('GET', more);
    expect([status, body.count]).toEqual([200, body.items.length]);
    // oxlint-disable-next-line typescript/no-explicit-any -- an answer
    return body.items.map(({ permission, user, team: shown }: any) => [permission, (user ?? shown).id]);
  });

describe.each(kinds)('grants in a %s', (kind) => {
  it.override('kind', kind);

  it('let guests and teams see it until they are removed', async ({
    guest,
    inTeam,
    team,
    call,
    grant,
    roleOf,
    listed,
  }) => {
    expect([await roleOf(guest), await roleOf(inTeam)]).toEqual([404, 404]);
    expect((await grant({ role: 'read', users: [guest.user._id], teams: [team._id] })).status).toBe(204);
    expect([await roleOf(guest), await roleOf(inTeam)]).toEqual(['view', 'view']);
    expect(await listed('/users')).toEqual([['read', guest.user._id]]);
    expect(await listed('/teams')).toEqual([['read', team._id]]);
    expect((await call('DELETE', `/users/${guest.user._id}`)).status).toBe(204);
    expect((await call('DELETE', `/teams/${team._id}`)).status).toBe(204);
    expect([await roleOf(guest), await roleOf(inTeam)]).toEqual([404, 404]);
    expect([await listed('/users'), await listed('/teams')]).toEqual([[], []]);
  });

  it('replace the earlier grant of the same user', async ({ guest, team, grant, roleOf, listed }) => {
    await grant({ role: 'read', users: [guest.user._id, guest.user._id] });
    await grant({ role: 'admin', users: [guest.user._id] });
    expect(await roleOf(guest)).toBe('admin');
    expect(await listed('/users')).toEqual([['admin', guest.user._id]]);
    await grant({ role: 'read', users: [guest.user._id] });
    expect(await roleOf(guest)).toBe('view');
    expect((await grant({ role: null, users: [guest.user._id], teams: [team._id] })).status).toBe(204);
    expect(await listed('/users')).toEqual([]);
  });

  it.for(['users', 'teams'] as const)(
    'are changed for one of its %s',
    async (principals, { guest, inTeam, team, call, grant, roleOf, listed }) => {
      const principal = principals === 'users' ? guest.user._id : team._id;
      const user = principals === 'users' ? guest : inTeam;
      const one = `/${principals}/${principal}`;
      expect((await call('PATCH', one, { role: 'read' })).status).toBe(404);
      await grant({ role: 'read', [principals]: [principal] });
      expect((await call('PATCH', one, { role: 'admin' })).status).toBe(204);
      expect(await roleOf(user)).toBe('admin');
      for (const body of [{}, undefined]) expect((await call('PATCH', one, body)).status).toBe(204);
      expect(await roleOf(user)).toBe('admin');
      for (const role of ['owner', 5, '']) expect((await call('PATCH', one, { role })).status).toBe(400);
      expect((await call('PATCH', one, { role: null })).status).toBe(204);
      expect(await roleOf(user)).toBe(404);
      expect((await call('PATCH', one, { role: 'read' })).status).toBe(404);
      expect((await call('DELETE', one)).status).toBe(204);
      // A team is no user, and the other way round.
      await grant({ role: 'read', [principals]: [principal] });
      const other = `/${principals === 'users' ? 'teams' : 'users'}/${principal}`;
      expect((await call('PATCH', other, { role: 'admin' })).status).toBe(404);
      expect((await call('DELETE', other)).status).toBe(204);
      expect(await listed(`/${principals}`)).toEqual([['read', principal]]);
    },
  );

  it('are refused as a whole when one user or team is not in the organization or the body is not valid', async ({
    guest,
    team,
    id,
    grant,
    roleOf,
  }) => {
    const stranger = (await buildOrganization()).admin.user._id;
    const foreignTeam = await buildTeam((await buildOrganization()).organization);
    for (const [field, value] of [
      ['users[1]', { users: [guest.user._id, stranger] }],
      ['users[0]', { users: ['nobody'] }],
      ['users[0]', { users: [team._id] }],
      ['teams[0]', { users: [guest.user._id], teams: [foreignTeam._id] }],
      ['teams[1]', { teams: [team._id, guest.user._id] }],
      ['users', { users: [] }],
      ['users', { users: guest.user._id }],
      ['users', { users: Array.from({ length: 1001 }, () => guest.user._id) }],
      ['teams', { users: [guest.user._id], teams: [] }],
      ['users[0]', { users: [5] }],
    ] as const) {
      const { status, body } = await grant({ role: 'read', ...value });
      expect([status, body.error.details[0].path]).toEqual([400, `body.${field}`]);
    }
    for (const body of [
      {},
      { role: 'read' },
      { users: [guest.user._id] },
      { role: 'owner', users: [guest.user._id] },
      [],
    ]) {
      expect((await grant(body)).status, JSON.stringify(body)).toBe(400);
    }
    expect(await Grant.countDocuments({ target: id })).toBe(0);
    expect(await roleOf(guest)).toBe(404);
  });

  it('are listed and changed by its admins only', async ({
    organization,
    guest,
    inTeam,
    team,
    call,
    grant,
    roleOf,
  }) => {
    const creator = await buildMember(organization, 'create');
    await grant({ role: 'create', users: [guest.user._id] });
    for (const user of [creator, guest]) {
      for (const role of ['admin', 'create', 'read'])
        expect((await grant({ role, users: [guest.user._id] }, user)).status).toBe(403);
      expect((await call('PATCH', `/users/${guest.user._id}`, { role: 'admin' }, user)).status).toBe(403);
      expect((await call('PATCH', '/users/nobody', { role: 'admin' }, user)).status).toBe(403);
      expect((await call('DELETE', `/users/${guest.user._id}`, undefined, user)).status).toBe(403);
      expect((await call('DELETE', '/teams/nothing', undefined, user)).status).toBe(403);
      for (const list of ['/users', '/teams', '/aggregate'])
        expect((await call('GET', list, undefined, user)).status).toBe(403);
    }
    expect(
      (await grant({ role: 'read', users: [guest.user._id] }, (await buildOrganization()).admin)).status,
    ).toBe(404);
    expect((await call('GET', '/users', undefined, inTeam)).status).toBe(404);
    expect(await roleOf(guest)).toBe(kind === 'space' ? 'triggerGitSync' : 'create');
    // Whoever was made an admin may.
    await grant({ role: 'admin', users: [guest.user._id] });
    expect((await grant({ role: 'admin', teams: [team._id] }, guest)).status).toBe(204);
    expect(await roleOf(inTeam)).toBe('admin');
  });

  it('are listed in pages, newest first', async ({ organization, call, grant }) => {
    const users = [];
    for (let i = 0; i < 5; i += 1) {
      const user = await buildMember(organization, 'read');
      users.push(user.user._id);
      await grant({ role: 'edit', users: [user.user._id] });
    }
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { body } = await call('GET', `/users?limit=2${page ? `&page=${page}` : ''}`);
      expect(body.count).toBe(5);
      seen.push(...body.items.map(({ user }: { user: { id: string } }) => user.id));
      page = body.next?.page;
    } while (page);
    expect(seen).toEqual(users.toReversed());
    expect((await call('GET', '/teams?limit=0')).body).toEqual({ items: [], count: 0 });
  });

  it('are stored once for each user when several callers grant at once', async ({
    organization,
    grant,
    listed,
  }) => {
    const users: string[] = [];
    for (let i = 0; i < 6; i += 1) users.push((await buildMember(organization, null)).user._id);
    const roles = ['read', 'comment', 'edit', 'review'];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => grant({ role: roles[i % 4], users: users.slice(i % 3) })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const items = await listed('/users');
    expect(items.map(([, user]: [string, string]) => user).toSorted()).toEqual(users.toSorted());
    const aggregate = new Map(
      (await listed('/aggregate')).map(([role, user]: [string, string]) => [user, role]),
    );
    for (const [role, user] of items) expect(aggregate.get(user)).toBe(role);
  });
});

describe('grants in a collection', () => {
  it('apply to everything below, where the highest role counts', async ({
    api,
    organization,
    admin,
    inTeam,
    team,
  }) => {
    const top: CollectionRecord = await buildCollection(organization);
    const inner = await buildCollection(organization, { parent: top._id, defaultLevel: null });
    const space: SpaceRecord = await buildSpace(organization, { parent: inner._id });
    const deleted = await buildSpace(organization, { parent: inner._id });
    await api.call('DELETE', `/v1/spaces/${deleted._id}`, { token: admin.token });
    await api.call('POST', `/v1/collections/${top._id}/permissions`, {
      token: admin.token,
      json: { role: 'comment', teams: [team._id] },
    });
    await api.call('POST', `/v1/collections/${inner._id}/permissions`, {
      token: admin.token,
      json: { role: 'edit', users: [inTeam.user._id] },
    });
    await buildGrant({ space }, inTeam, 'read');
    const { body } = await api.call('GET', `/v1/spaces/${space._id}`, { token: inTeam.token });
    expect(body.permissions).toMatchObject({ edit: true, review: false });
    expect((await api.call('GET', `/v1/collections/${top._id}`, { token: inTeam.token })).status).toBe(200);
    expect(
      (await api.call('GET', `/v1/orgs/${organization._id}/spaces`, { token: inTeam.token })).body.count,
    ).toBe(1);
    const expected = [
      { to: team._id, role: 'comment' },
      { to: inTeam.user._id, role: 'edit' },
    ];
    expect((await Space.findById(deleted._id).lean())?.access.grants).toEqual(expected);
    expect((await Collection.findById(inner._id).lean())?.access).toEqual({
      level: null,
      grants: expected,
      readers: expected.map(({ to }) => to),
    });
  });
});
