import { Member, Team, type TeamRecord } from '@bindery/models';
import type { TeamRole } from '@bindery/contract';
import { describe, expect } from 'vitest';
import { buildMember, buildTeam, type TestUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('owner', { scope: 'file' }, ({ organization }) => buildMember(organization, 'read'))
  .extend('ann', { scope: 'file' }, ({ organization }) => buildMember(organization, 'edit'))
  .extend('bob', { scope: 'file' }, ({ organization }) => buildMember(organization, 'create'))
  .extend(
    'url',
    ({ organization }) =>
      (team: Pick<TeamRecord, '_id'>, user?: string) =>
        `/v1/orgs/${organization._id}/teams/${team._id}/members${user === undefined ? '' : `/${user}`}`,
  )
  .extend(
    'newTeam',
    ({ organization }) =>
      (...members: [TestUser, TeamRole][]) =>
        buildTeam(organization, { members }),
  )
  /** The members of the team, with their roles in it. */
  .extend(
    'rolesIn',
    ({ api, admin, guest, owner, ann, bob, url }) =>
      async (team: TeamRecord): Promise<Record<string, string>> => {
        const { status, body } = await api.call('GET', `${url(team)}?limit=1000`, { token: admin.token });
        expect([status, body.count]).toEqual([200, body.items.length]);
        const names = new Map([owner, ann, bob, guest, admin].map(({ user }) => [user._id, user]));
        const nameOf = (id: string) =>
          ({
            [owner.user._id]: 'owner',
            [ann.user._id]: 'ann',
            [bob.user._id]: 'bob',
            [guest.user._id]: 'guest',
          })[id] ?? 'admin';
        return Object.fromEntries(
          body.items.map(
            ({
              organization: member,
              team: { role },
            }: {
              organization: { id: string };
              team: { role: string };
            }) => {
              expect(names.has(member.id)).toBe(true);
              return [nameOf(member.id), role];
            },
          ),
        );
      },
  )
  .extend(
    'put',
    ({ api, admin, url }) =>
      (team: Pick<TeamRecord, '_id'>, json?: unknown, { token } = admin) =>
        api.call('PUT', url(team), { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'putOne',
    ({ api, admin, url }) =>
      (team: TeamRecord, user: string, json?: unknown, { token } = admin) =>
        api.call('PUT', url(team, user), { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'remove',
    ({ api, admin, url }) =>
      (team: TeamRecord, user: string, { token } = admin) =>
        api.call('DELETE', url(team, user), { token }),
  );

describe('GET /v1/orgs/{organizationId}/teams/{teamId}/members', () => {
  it('shows the role of each member in the organization and in the team', async ({
    api,
    organization,
    admin,
    owner,
    url,
    newTeam,
  }) => {
    const guest = await buildMember(organization, null);
    const team = await newTeam([owner, 'owner'], [guest, 'member']);
    for (const { token } of [admin, guest]) {
      const { status, body } = await api.call('GET', url(team), { token });
      expect([status, body.count]).toEqual([200, 2]);
      const [last, first] = body.items;
      expect(first).toEqual({
        organization: expect.objectContaining({
          object: 'member',
          id: owner.user._id,
          role: 'read',
          teams: expect.any(Number),
        }),
        team: { role: 'owner' },
        permissions: { view: true },
      });
      expect(last).toMatchObject({
        organization: { id: guest.user._id, role: null },
        team: { role: 'member' },
      });
    }
  });

  it('comes in pages, the newest members of the organization first', async ({
    api,
    organization,
    owner,
    ann,
    bob,
    url,
    newTeam,
  }) => {
    const team = await newTeam([ann, 'member'], [bob, 'owner'], [owner, 'member']);
    for (const [index, { user }] of [bob, owner, ann].entries())
      await Member.updateOne(
        { organization: organization._id, user: user._id },
        { $set: { joinedAt: new Date(Date.UTC(2026, 0, 1, index)) } },
      );
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { body } = await api.call('GET', `${url(team)}?limit=1${page ? `&page=${page}` : ''}`, {
        token: ann.token,
      });
      expect(body.count).toBe(3);
      seen.push(...body.items.map((item: { organization: { id: string } }) => item.organization.id));
      page = body.next?.page;
    } while (page);
    expect(seen).toEqual([ann, owner, bob].map(({ user }) => user._id));
  });

  it('answers 404 to outsiders, and for an unknown team', async ({ api, admin, outsider, url, newTeam }) => {
    const team = await newTeam();
    expect((await api.call('GET', url(team), { token: outsider.token })).status).toBe(404);
    expect((await api.call('GET', url({ _id: 'nothing' }), { token: admin.token })).status).toBe(404);
    expect((await api.call('GET', url(team), { token: admin.token })).body).toEqual({ items: [], count: 0 });
  });
});

describe('PUT /v1/orgs/{organizationId}/teams/{teamId}/members', () => {
  const idsOf = (...people: TestUser[]) => people.map(({ user }) => user._id);

  it('adds and removes by id and by e-mail address', async ({
    admin,
    guest,
    owner,
    ann,
    bob,
    newTeam,
    rolesIn,
    put,
  }) => {
    const team = await newTeam([ann, 'member'], [bob, 'member']);
    const add = [guest.user.email?.toUpperCase(), admin.user._id, admin.user.email];
    const { status, text } = await put(team, { add, remove: [ann.user.email, bob.user._id, owner.user._id] });
    expect([status, text]).toEqual([204, '']);
    expect(await rolesIn(team)).toEqual({ guest: 'member', admin: 'member' });
  });

  it('removes users who are in both lists, by id or by address', async ({
    ann,
    bob,
    newTeam,
    rolesIn,
    put,
  }) => {
    const team = await newTeam([ann, 'owner']);
    expect((await put(team, { add: idsOf(ann, bob), remove: [ann.user.email, bob.user._id] })).status).toBe(
      204,
    );
    expect(await rolesIn(team)).toEqual({});
  });

  it('keeps the role of existing members, and gives new ones the role of a member', async ({
    owner,
    ann,
    newTeam,
    rolesIn,
    put,
  }) => {
    const team = await newTeam([owner, 'owner']);
    await put(team, { add: idsOf(owner, ann) });
    expect(await rolesIn(team)).toEqual({ owner: 'owner', ann: 'member' });
  });

  it('sets the roles of users who are members afterwards', async ({
    owner,
    ann,
    bob,
    newTeam,
    rolesIn,
    put,
  }) => {
    const team = await newTeam([owner, 'owner'], [ann, 'member']);
    const memberships = { [bob.user._id]: { role: 'owner' }, [owner.user._id]: { role: 'member' } };
    expect((await put(team, { add: idsOf(bob), memberships })).status).toBe(204);
    expect(await rolesIn(team)).toEqual({ owner: 'member', ann: 'member', bob: 'owner' });
  });

  it('refuses roles for users who are not members afterwards, and changes nothing', async ({
    outsider,
    owner,
    ann,
    bob,
    newTeam,
    rolesIn,
    put,
  }) => {
    const team = await newTeam([owner, 'owner'], [ann, 'member']);
    const refused = [
      { memberships: { [bob.user._id]: { role: 'owner' } } },
      { remove: idsOf(ann), memberships: { [ann.user._id]: { role: 'owner' } }, add: idsOf(bob) },
      { add: idsOf(bob), remove: idsOf(bob), memberships: { [bob.user._id]: { role: 'member' } } },
      { memberships: { nobody: { role: 'member' } } },
      { memberships: { [outsider.user._id]: { role: 'member' } }, add: idsOf(bob) },
      // E-mail addresses are for the two lists.
      { memberships: { [ann.user.email ?? '']: { role: 'owner' } } },
    ];
    for (const json of refused)
      expect((await put(team, json)).body.error?.details[0].path).toMatch(/^body\.memberships\./);
    expect(await rolesIn(team)).toEqual({ owner: 'owner', ann: 'member' });
  });

  it.for([
    ['an id of nobody', 'nobody'],
    ['an address of nobody', 'nobody@example.org'],
    ['somebody of another organization', (outsider: TestUser) => outsider.user._id],
    ['an address of somebody of another organization', (outsider: TestUser) => outsider.user.email],
    ['text that looks like a query', '{"$ne": 1}'],
  ] as const)(
    'refuses %s, and applies nothing',
    async ([, given], { outsider, ann, bob, newTeam, rolesIn, put }) => {
      const unknown = typeof given === 'function' ? given(outsider) : given;
      const team = await newTeam([ann, 'member']);
      const { status, body } = await put(team, { add: [bob.user._id, unknown] });
      expect([status, body.error.details[0].path]).toEqual([400, 'body.add[1]']);
      expect((await put(team, { add: idsOf(bob), remove: [unknown] })).body.error.details[0].path).toBe(
        'body.remove[0]',
      );
      expect(await rolesIn(team)).toEqual({ ann: 'member' });
    },
  );

  it('refuses invalid input, and applies nothing', async ({
    api,
    admin,
    ann,
    bob,
    url,
    newTeam,
    rolesIn,
    put,
  }) => {
    const team = await newTeam([ann, 'member']);
    const many = Array.from({ length: 10_000 }, () => bob.user._id);
    const tooMany = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, i) => [`id${i}`, { role: 'member' }]),
    );
    const refused = [
      { add: many },
      { add: many.slice(0, 1_001) },
      { memberships: tooMany },
      { add: idsOf(bob), memberships: { [ann.user._id]: { role: 'king' } } },
      { add: idsOf(bob), memberships: { [ann.user._id]: {} } },
      { add: idsOf(bob), memberships: { [ann.user._id]: 'owner' } },
      { add: idsOf(bob), memberships: null },
      { add: bob.user._id },
      { add: [{ $ne: null }] },
      { add: [''] },
      { add: [5] },
      { remove: null },
    ];
    for (const json of refused)
      expect((await put(team, json)).status, JSON.stringify(json).slice(0, 100)).toBe(400);
    const body = `{"add":["${bob.user._id}"],"memberships":{"__proto__":{"role":"owner"}}}`;
    const proto = await api.call('PUT', url(team), {
      token: admin.token,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(proto.status).toBe(400);
    expect(await rolesIn(team)).toEqual({ ann: 'member' });
  });

  it('takes a thousand entries, also when they repeat one user', async ({ bob, newTeam, rolesIn, put }) => {
    const team = await newTeam();
    const again = Array.from({ length: 1_000 }, () => bob.user._id);
    expect((await put(team, { add: again })).status).toBe(204);
    expect(await rolesIn(team)).toEqual({ bob: 'member' });
  });

  it('changes nothing without any of the three fields', async ({ ann, newTeam, rolesIn, put }) => {
    const team = await newTeam([ann, 'owner']);
    for (const json of [{}, undefined, { add: [], remove: [], memberships: {} }])
      expect((await put(team, json)).status).toBe(204);
    expect((await put(team, { removed: idsOf(ann) })).status).toBe(400);
    expect(await rolesIn(team)).toEqual({ ann: 'owner' });
  });

  it('is for admins and the owners of this team', async ({
    guest,
    outsider,
    owner,
    ann,
    bob,
    newTeam,
    rolesIn,
    put,
  }) => {
    const team = await newTeam([owner, 'owner'], [ann, 'member']);
    await newTeam([ann, 'owner']);
    for (const other of [ann, bob, guest])
      expect((await put(team, { add: idsOf(bob) }, other)).status).toBe(403);
    expect((await put(team, { add: idsOf(bob) }, outsider)).status).toBe(404);
    expect((await put(team, { add: idsOf(bob) }, owner)).status).toBe(204);
    // Also the last owner may go: admins manage the team then.
    expect((await put(team, { remove: idsOf(owner) }, owner)).status).toBe(204);
    expect((await put(team, { add: idsOf(owner) }, owner)).status).toBe(403);
    expect(await rolesIn(team)).toEqual({ ann: 'member', bob: 'member' });
  });

  it('leaves the other teams of its members alone', async ({ ann, bob, newTeam, rolesIn, put }) => {
    const other = await newTeam([ann, 'owner'], [bob, 'member']);
    const team = await newTeam([ann, 'member']);
    await put(team, {
      add: idsOf(bob),
      remove: idsOf(ann),
      memberships: { [bob.user._id]: { role: 'owner' } },
    });
    expect(await rolesIn(other)).toEqual({ ann: 'owner', bob: 'member' });
  });

  it('loses no change when many callers change a team at once', async ({
    api,
    organization,
    admin,
    owner,
    url,
    newTeam,
    put,
  }) => {
    const team = await newTeam([owner, 'owner']);
    const people = await Promise.all(Array.from({ length: 20 }, () => buildMember(organization, 'read')));
    const answers = await Promise.all([
      ...people.map(({ user }) => put(team, { add: [user._id] })),
      ...people
        .slice(0, 5)
        .map(({ user }) =>
          api.call('PUT', url(team, user._id), { token: admin.token, json: { role: 'member' } }),
        ),
      put(team, { memberships: { [owner.user._id]: { role: 'member' } } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    const members = await Member.find({ 'teams.team': team._id }).lean();
    expect(members).toHaveLength(21);
    for (const { teams } of members)
      expect(teams.filter((own) => own.team === team._id)).toEqual([{ team: team._id, role: 'member' }]);
  });
});

describe('PUT and DELETE /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}', () => {
  it('adds a member with a role, and changes the role', async ({ ann, newTeam, rolesIn, putOne }) => {
    const team = await newTeam();
    for (const [json, role] of [
      [undefined, 'member'],
      [{ role: 'owner' }, 'owner'],
      [{ role: 'member' }, 'member'],
      [{ role: 'owner' }, 'owner'],
      [{}, 'member'],
    ] as const) {
      const { status, text } = await putOne(team, ann.user._id, json);
      expect([status, text]).toEqual([204, '']);
      expect(await rolesIn(team)).toEqual({ ann: role });
    }
  });

  it('refuses unknown roles, and users outside of the organization', async ({
    outsider,
    ann,
    newTeam,
    rolesIn,
    putOne,
  }) => {
    const team = await newTeam([ann, 'member']);
    for (const json of [{ role: 'king' }, { role: null }, { role: 'admin' }, []])
      expect((await putOne(team, ann.user._id, json)).status).toBe(400);
    for (const id of ['nobody', outsider.user._id, ann.user.email ?? '', '%00'])
      expect((await putOne(team, id, { role: 'member' })).status).toBe(404);
    expect(await rolesIn(team)).toEqual({ ann: 'member' });
  });

  it('removes a member, and answers 204 for users who are not in the team', async ({
    guest,
    outsider,
    ann,
    bob,
    newTeam,
    rolesIn,
    remove,
  }) => {
    const team = await newTeam([ann, 'owner'], [bob, 'member']);
    for (const id of [ann.user._id, ann.user._id, guest.user._id, outsider.user._id, 'nobody'])
      expect((await remove(team, id)).status).toBe(204);
    expect(await rolesIn(team)).toEqual({ bob: 'member' });
  });

  it('is for admins and the owners of this team', async ({
    guest,
    outsider,
    owner,
    ann,
    bob,
    newTeam,
    rolesIn,
    putOne,
    remove,
  }) => {
    const team = await newTeam([owner, 'owner'], [ann, 'member']);
    for (const other of [ann, bob, guest]) {
      expect((await putOne(team, bob.user._id, { role: 'member' }, other)).status).toBe(403);
      expect((await remove(team, ann.user._id, other)).status).toBe(403);
    }
    expect((await putOne(team, bob.user._id, {}, outsider)).status).toBe(404);
    expect((await remove(team, ann.user._id, outsider)).status).toBe(404);
    expect((await putOne(team, bob.user._id, { role: 'owner' }, owner)).status).toBe(204);
    expect((await remove(team, ann.user._id, owner)).status).toBe(204);
    expect(await rolesIn(team)).toEqual({ owner: 'owner', bob: 'owner' });
  });

  it('answers 404 for a deleted team', async ({ ann, newTeam, putOne, remove }) => {
    const team = await newTeam();
    await Team.deleteOne({ _id: team._id });
    expect((await putOne(team, ann.user._id, {})).status).toBe(404);
    expect((await remove(team, ann.user._id)).status).toBe(404);
    expect(await Member.countDocuments({ 'teams.team': team._id })).toBe(0);
  });
});
