import { Grant, Member, refreshAccess, Space, Team, withTransaction, type TeamRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildGrant,
  buildMember,
  buildOrganization,
  buildSpace,
  buildTeam,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('owner', { scope: 'file' }, ({ organization }) => buildMember(organization, 'read'))
  .extend('elsewhere', { scope: 'file' }, ({ api: _started }) => buildOrganization())
  .extend(
    'url',
    ({ organization }) =>
      (team?: TeamRecord | string) =>
        `/v1/orgs/${organization._id}/teams${team === undefined ? '' : `/${typeof team === 'string' ? team : team._id}`}`,
  )
  .extend(
    'get',
    ({ api, admin, url }) =>
      (team: TeamRecord, { token } = admin) =>
        api.call('GET', url(team), { token }),
  )
  .extend(
    'create',
    ({ api, admin, url }) =>
      (json: unknown, { token } = admin) =>
        api.call('PUT', url(), { token, json }),
  )
  .extend(
    'rename',
    ({ api, admin, url }) =>
      (team: TeamRecord, json: unknown, { token } = admin, headers = {}) =>
        api.call('PATCH', url(team), { token, json, headers }),
  )
  /** Stores a grant as the operations for permissions do. */
  .extend('grantSpace', ({ organization }) => async (team: TeamRecord, target: string): Promise<void> => {
    await Grant.create({
      ...{
        _id: newId(),
        organization: organization._id,
        targetType: 'space',
        target,
        principalType: 'team',
        principal: team._id,
        role: 'edit',
      },
      createdAt: new Date(),
    });
    await withTransaction((session) => refreshAccess([target], session));
  });

describe('PUT /v1/orgs/{organizationId}/teams', () => {
  it('makes a team that the caller owns, with the given members', async ({
    api,
    admin,
    reader,
    guest,
    url,
    create,
  }) => {
    const { status, body } = await create({
      title: '  Docs & Co  ',
      members: [reader.user._id, guest.user._id, reader.user._id],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'team',
      id: expect.any(String),
      title: 'Docs & Co',
      members: 3,
      spaces: 0,
      createdAt: expect.stringMatching(/Z$/),
      permissions: { admin: true, view: true },
    });
    const { body: members } = await api.call('GET', `${url(body.id)}/members`, { token: admin.token });
    const roles = members.items.map((item: any) => [item.organization.id, item.team.role]); // oxlint-disable-line typescript/no-explicit-any
    expect(new Map(roles)).toEqual(
      new Map([
        [admin.user._id, 'owner'],
        [reader.user._id, 'member'],
        [guest.user._id, 'member'],
      ]),
    );
  });

  it('keeps the creator an owner when also named as a member', async ({ organization, admin, create }) => {
    const { body } = await create({ title: 'Mine', members: [admin.user._id] });
    expect(body.members).toBe(1);
    expect(
      await Member.findOne({ organization: organization._id, user: admin.user._id }).lean(),
    ).toMatchObject({
      teams: expect.arrayContaining([{ team: body.id, role: 'owner' }]),
    });
  });

  it('takes a title twice, and a title of 64 characters', async ({ create }) => {
    const titles = ['same', 'same', '家'.repeat(64)];
    for (const title of titles) expect((await create({ title })).status).toBe(201);
  });

  it.for([
    {},
    { title: '' },
    { title: '   ' },
    { title: 'x'.repeat(65) },
    { title: 5 },
    { title: null },
    { title: 'a\0' },
    { members: [] },
  ])('refuses %j', async (json, { create }) => {
    const before = await Team.countDocuments();
    expect((await create(json)).status).toBe(400);
    expect(await Team.countDocuments()).toBe(before);
  });

  it('refuses members that are not in the organization, and makes nothing', async ({
    reader,
    elsewhere,
    create,
  }) => {
    const before = [await Team.countDocuments(), await Member.findOne({ user: reader.user._id }).lean()];
    for (const unknown of ['nobody', elsewhere.admin.user._id, reader.user.email]) {
      const { status, body } = await create({ title: 'T', members: [reader.user._id, unknown] });
      expect([status, body.error.details.map(({ path }: { path: string }) => path)]).toEqual([
        400,
        ['body.members[1]'],
      ]);
    }
    expect((await create({ title: 'T', members: Array(1001).fill(reader.user._id) })).status).toBe(400);
    expect((await create({ title: 'T', members: reader.user._id })).status).toBe(400);
    expect([await Team.countDocuments(), await Member.findOne({ user: reader.user._id }).lean()]).toEqual(
      before,
    );
  });

  it('is for admins, not for the owners of other teams', async ({
    organization,
    owner,
    elsewhere,
    create,
  }) => {
    await buildTeam(organization, { members: [[owner, 'owner']] });
    expect((await create({ title: 'T' }, owner)).status).toBe(403);
    expect((await create({ title: 'T' }, elsewhere.admin)).status).toBe(404);
  });
});

describe('GET /v1/orgs/{organizationId}/teams', () => {
  it('lists the teams, newest first, in pages, to every member', async ({ api }) => {
    const { organization: other, admin: boss } = await buildOrganization();
    for (const [index, title] of ['c', 'a', 'b'].entries()) {
      const team = await buildTeam(other, { title });
      await Team.updateOne({ _id: team._id }, { $set: { createdAt: new Date(Date.UTC(2026, 0, 1, index)) } });
    }
    const someone = await buildMember(other, null);
    const titles: string[] = [];
    let page: string | undefined;
    do {
      const path = `/v1/orgs/${other._id}/teams?limit=2${page ? `&page=${page}` : ''}`;
      const { status, body } = await api.call('GET', path, { token: someone.token });
      expect([status, body.count]).toEqual([200, 3]);
      titles.push(...body.items.map(({ title }: { title: string }) => title));
      page = body.next?.page;
    } while (page);
    expect(titles).toEqual(['b', 'a', 'c']);
    expect(
      (await api.call('GET', `/v1/orgs/${other._id}/teams?limit=0`, { token: boss.token })).body,
    ).toEqual({ items: [], count: 3 });
    expect(
      (await api.call('GET', `/v1/orgs/${other._id}/teams?limit=1001`, { token: boss.token })).status,
    ).toBe(400);
  });

  it('finds titles that contain a text, literally, in upper or lower case', async ({ api }) => {
    const { organization: other, admin: boss } = await buildOrganization();
    for (const title of ['Ärzte [a.b]', 'plain', 'a+b', String.raw`back\slash`, '100 %'])
      await buildTeam(other, { title });
    const found = async (title: string) => {
      const { body } = await api.call(
        'GET',
        `/v1/orgs/${other._id}/teams?title=${encodeURIComponent(title)}`,
        { token: boss.token },
      );
      expect(body.count).toBe(body.items.length);
      return body.items.map((team: { title: string }) => team.title);
    };
    expect(await found('ärZ')).toEqual(['Ärzte [a.b]']);
    expect(await found('[A.B')).toEqual(['Ärzte [a.b]']);
    expect(await found('PLAIN')).toEqual(['plain']);
    expect(await found('\\')).toEqual([String.raw`back\slash`]);
    expect(await found('a+')).toEqual(['a+b']);
    expect(await found('%')).toEqual(['100 %']);
    for (const pattern of ['.*', `(a+)+$${'a'.repeat(30)}!`, '^plain$', 'p|a', '$where', '[x]', '(?i)PLAIN'])
      expect(await found(pattern)).toEqual([]);
    expect(await found('')).toHaveLength(5);
  });

  it('finds the teams that a member manages', async ({
    api,
    organization,
    admin,
    reader,
    owner,
    elsewhere,
    url,
  }) => {
    const owned = await buildTeam(organization, { title: 'owned', members: [[owner, 'owner']] });
    await buildTeam(organization, { title: 'joined', members: [[owner, 'member']] });
    const list = async (member: string) =>
      (await api.call('GET', `${url()}?owner=${member}&limit=1000`, { token: reader.token })).body;
    const ofOwner = await list(owner.user._id);
    expect(ofOwner.items.map(({ id }: { id: string }) => id)).toContain(owned._id);
    expect(ofOwner.items.map(({ title }: { title: string }) => title)).not.toContain('joined');
    expect((await list(admin.user._id)).count).toBe(
      await Team.countDocuments({ organization: organization._id }),
    );
    for (const none of [reader.user._id, elsewhere.admin.user._id, 'nobody'])
      expect(await list(none)).toEqual({ items: [], count: 0 });
  });

  it('reports the permissions of each member', async ({ organization, reader, guest, owner, get }) => {
    const team = await buildTeam(organization, {
      members: [
        [owner, 'owner'],
        [reader, 'member'],
      ],
    });
    expect((await get(team, owner)).body.permissions).toEqual({ admin: true, view: true });
    expect((await get(team, reader)).body.permissions).toEqual({ admin: false, view: true });
    expect((await get(team, guest)).body.permissions).toEqual({ admin: false, view: true });
  });
});

describe('GET /v1/orgs/{organizationId}/teams/{teamId}', () => {
  it('counts its members and the spaces that it was granted', async ({
    api,
    organization,
    admin,
    reader,
    owner,
    url,
    get,
    grantSpace,
  }) => {
    const team = await buildTeam(organization, {
      title: 'Counted',
      members: [
        [owner, 'owner'],
        [reader, 'member'],
      ],
    });
    const space = await buildSpace(organization);
    await grantSpace(team, space._id);
    await buildSpace(organization);
    const gone = await buildSpace(organization);
    await grantSpace(team, gone._id);
    await Space.updateOne({ _id: gone._id }, { $set: { isDeleted: true, deletedAt: new Date() } });
    const { body, headers } = await get(team);
    expect(body).toMatchObject({ id: team._id, title: 'Counted', members: 2, spaces: 1 });
    const again = await api.call('GET', url(team), {
      token: admin.token,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    const { body: page } = await api.call('GET', `${url()}?title=Counted`, { token: reader.token });
    expect(page.items).toEqual([{ ...body, permissions: { admin: false, view: true } }]);
  });

  it('does not count spaces that are closed to the caller', async ({
    api,
    organization,
    admin,
    reader,
    owner,
    url,
    get,
  }) => {
    const team = await buildTeam(organization, { title: 'Closed spaces', members: [[owner, 'owner']] });
    await buildGrant({ space: await buildSpace(organization) }, team, 'edit');
    await buildGrant({ space: await buildSpace(organization, { defaultLevel: null }) }, team, 'edit');
    const counts = [admin, owner, reader, await buildMember(organization, null)].map(
      async (one) => (await get(team, one)).body.spaces,
    );
    expect(await Promise.all(counts)).toEqual([2, 2, 1, 0]);
    const { body } = await api.call('GET', `${url()}?title=Closed%20spaces`, { token: reader.token });
    expect(body.items[0].spaces).toBe(1);
  });

  it('answers 404 to outsiders, and under another organization', async ({
    api,
    organization,
    admin,
    elsewhere,
    url,
    get,
  }) => {
    const team = await buildTeam(organization);
    expect((await get(team, elsewhere.admin)).status).toBe(404);
    const path = `/v1/orgs/${elsewhere.organization._id}/teams/${team._id}`;
    expect((await api.call('GET', path, { token: elsewhere.admin.token })).status).toBe(404);
    expect((await api.call('GET', url('nothing'), { token: admin.token })).status).toBe(404);
  });
});

describe('PATCH /v1/orgs/{organizationId}/teams/{teamId}', () => {
  it('renames it, for admins and owners', async ({
    organization,
    reader,
    guest,
    owner,
    elsewhere,
    get,
    rename,
  }) => {
    const team = await buildTeam(organization, {
      members: [
        [owner, 'owner'],
        [reader, 'member'],
      ],
    });
    expect((await rename(team, { title: ' New ' })).body).toMatchObject({
      id: team._id,
      title: 'New',
      members: 2,
    });
    expect((await rename(team, { title: 'Other', members: 9 })).status).toBe(400);
    expect((await rename(team, { title: 'Newer' }, owner)).body.title).toBe('Newer');
    for (const other of [reader, guest])
      expect((await rename(team, { title: 'No' }, other)).status).toBe(403);
    expect((await rename(team, { title: 'No' }, elsewhere.admin)).status).toBe(404);
    expect((await get(team)).body.title).toBe('Newer');
  });

  it('refuses an invalid title', async ({ organization, get, rename }) => {
    const team = await buildTeam(organization, { title: 'Old' });
    for (const json of [
      {},
      { title: '' },
      { title: ' ' },
      { title: 'x'.repeat(65) },
      { title: null },
      [],
      { title: ['a'] },
    ])
      expect((await rename(team, json)).status, JSON.stringify(json)).toBe(400);
    expect((await get(team)).body.title).toBe('Old');
  });

  it('changes only the state that If-Match names', async ({ organization, admin, get, rename }) => {
    const team = await buildTeam(organization);
    const etag = (await get(team)).headers.get('etag') ?? '';
    expect((await rename(team, { title: 'First' }, admin, { 'if-match': etag })).status).toBe(200);
    expect((await rename(team, { title: 'Second' }, admin, { 'if-match': etag })).status).toBe(412);
    expect((await get(team)).body.title).toBe('First');
  });
});
