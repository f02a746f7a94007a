import { Space } from '@bindery/models';
import { describe, expect } from 'vitest';
import type { ApiAnswer } from '../../support/apiServer.ts';
import {
  buildGrant,
  buildMember,
  buildOrganization,
  buildSite,
  buildSpace,
  buildTeam,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const shown = ({ body }: ApiAnswer) =>
  body.items.map(({ permission, space }: { permission: string; space: { title: string } }) => [
    space.title,
    permission,
  ]);

const it = base
  .extend('closed', { scope: 'file' }, ({ organization }) =>
    buildSpace(organization, { title: 'Closed', defaultLevel: null }),
  )
  .extend(
    'urlOf',
    ({ organization }) =>
      (one: TestUser) =>
        `/v1/orgs/${organization._id}/members/${one.user._id}`,
  )
  .extend(
    'spacesOf',
    ({ api, admin, urlOf }) =>
      (one: TestUser, { token } = admin, query = '') =>
        api.call('GET', `${urlOf(one)}/spaces${query}`, { token }),
  )
  .extend('countsOf', ({ api, admin, urlOf }) => async (one: TestUser, { token } = admin) => {
    const { body } = await api.call('GET', urlOf(one), { token });
    return body.spaces;
  });

it.beforeAll(async ({ organization, reader, guest, closed: _listed }) => {
  const team = await buildTeam(organization, { members: [[reader, 'member']] });
  await buildSpace(organization, { title: 'Delta' });
  await buildSpace(organization, { title: 'alpha', defaultLevel: 'read' });
  await buildGrant(
    { space: await buildSpace(organization, { title: 'For guest', defaultLevel: null }) },
    guest,
    'edit',
  );
  await buildGrant(
    { space: await buildSpace(organization, { title: 'For team', defaultLevel: null }) },
    team,
    'review',
  );
  await buildGrant({ space: await buildSpace(organization, { title: 'Delta' }) }, guest, 'comment');
  await changeSpace(await buildSpace(organization, { title: 'Deleted' }), { deletedAt: new Date() });
  await buildSpace((await buildOrganization()).organization, { title: 'Of others' });
});

describe('GET /v1/orgs/{organizationId}/members/{userId}/spaces', () => {
  it('lists the spaces of the member by title, with its permission in each', async ({
    admin,
    creator,
    reader,
    guest,
    spacesOf,
  }) => {
    const answer = await spacesOf(creator, admin, '?order=asc');
    expect(answer.status).toBe(200);
    expect(answer.body.count).toBe(3);
    expect(shown(answer)).toEqual([
      ['Delta', 'create'],
      ['Delta', 'create'],
      ['alpha', 'read'],
    ]);
    expect(shown(await spacesOf(reader, admin, '?order=asc'))).toEqual([
      ['Delta', 'read'],
      ['Delta', 'read'],
      ['For team', 'review'],
      ['alpha', 'read'],
    ]);
    // The default is the other direction.
    expect(shown(await spacesOf(guest))).toEqual([
      ['For guest', 'edit'],
      ['Delta', 'comment'],
    ]);
    expect(
      shown(await spacesOf(admin, admin, '?order=asc')).map(
        ([title, permission]: string[]) => `${title} ${permission}`,
      ),
    ).toEqual([
      'Closed admin',
      'Delta admin',
      'Delta admin',
      'For guest admin',
      'For team admin',
      'alpha admin',
    ]);
  });

  it('shows each space as the caller sees it, and only spaces that the caller can view', async ({
    admin,
    creator,
    reader,
    guest,
    spacesOf,
  }) => {
    const answer = await spacesOf(admin, reader, '?order=asc');
    expect(shown(answer).map(([title]: string[]) => title)).toEqual(['Delta', 'Delta', 'For team', 'alpha']);
    expect(answer.body.count).toBe(4);
    expect(answer.body.items[0]).toMatchObject({
      permission: 'admin',
      space: { object: 'space', permissions: { view: true, admin: false } },
    });
    expect(shown(await spacesOf(guest, creator))).toEqual([['Delta', 'comment']]);
    expect(shown(await spacesOf(creator, guest))).toEqual([['Delta', 'create']]);
    expect(shown(await spacesOf(guest, guest, '?order=asc'))).toHaveLength(2);
  });

  it('comes in pages, each space once, also where titles are the same', async ({
    admin,
    reader,
    spacesOf,
  }) => {
    for (const order of ['asc', 'desc'])
      for (const [member, caller] of [
        [reader, admin],
        [admin, reader],
        [admin, admin],
      ] as const) {
        const ids: string[] = [];
        let page: string | undefined;
        do {
          const { body } = await spacesOf(
            member,
            caller,
            `?order=${order}&limit=1${page ? `&page=${page}` : ''}`,
          );
          ids.push(...body.items.map(({ space }: { space: { id: string } }) => space.id));
          page = body.next?.page;
        } while (page);
        const whole = await spacesOf(member, caller, `?order=${order}`);
        expect(ids).toEqual(whole.body.items.map(({ space }: { space: { id: string } }) => space.id));
        expect(new Set(ids).size).toBe(whole.body.count);
      }
  });

  it('refuses an unknown order, and answers 404 for users who are not members', async ({
    admin,
    reader,
    spacesOf,
  }) => {
    expect((await spacesOf(reader, admin, '?order=title')).status).toBe(400);
    expect((await spacesOf((await buildOrganization()).admin)).status).toBe(404);
    expect((await spacesOf(reader, (await buildOrganization()).admin)).status).toBe(404);
  });
});

describe('the counts of a member', () => {
  it('equal the counts of the lists, for every caller', async ({
    api,
    organization,
    admin,
    creator,
    reader,
    guest,
    spacesOf,
    countsOf,
  }) => {
    for (const caller of [admin, creator, reader, guest])
      for (const member of [admin, creator, reader, guest]) {
        const { body } = await spacesOf(member, caller, '?limit=0');
        expect(await countsOf(member, caller)).toBe(body.count);
      }
    const { body } = await api.call('GET', `/v1/orgs/${organization._id}/members`, { token: reader.token });
    for (const { id, spaces } of body.items) {
      const own = await api.call('GET', `/v1/orgs/${organization._id}/members/${id}/spaces?limit=0`, {
        token: reader.token,
      });
      expect(spaces).toBe(own.body.count);
    }
  });

  it('follow grants and deletions of spaces', async ({ reader, closed, countsOf }) => {
    const before = await countsOf(reader);
    await buildGrant({ space: closed }, reader, 'read');
    expect(await countsOf(reader)).toBe(before + 1);
    await Space.updateOne({ _id: closed._id }, { $set: { isDeleted: true } });
    expect(await countsOf(reader)).toBe(before);
    await Space.updateOne({ _id: closed._id }, { $set: { isDeleted: false } });
  });

  it('count sites by the same rules', async ({ api, organization, admin, creator, guest, urlOf }) => {
    const access = (...readers: string[]) => ({ access: { level: 'inherit' as const, grants: [], readers } });
    await buildSite(organization, access('members'));
    await buildSite(organization, access('members', guest.user._id));
    await buildSite(organization, access(guest.user._id));
    const sites = async (one: TestUser, { token } = admin) =>
      (await api.call('GET', urlOf(one), { token })).body.sites;
    expect([await sites(admin), await sites(creator), await sites(guest)]).toEqual([3, 2, 2]);
    expect([await sites(admin, creator), await sites(guest, creator), await sites(creator, guest)]).toEqual([
      2, 1, 1,
    ]);
  });
});

describe('GET /v1/orgs/{organizationId}/members/{userId}/teams', () => {
  it('lists the teams of the member with its role in each, newest first, and filters by title', async ({
    api,
    organization,
    admin,
    reader,
    guest,
    urlOf,
  }) => {
    const member = await buildMember(organization, 'read');
    await buildTeam(organization, { title: 'Docs of others' });
    const docs = await buildTeam(organization, { title: 'Docs (a+)', members: [[member, 'owner']] });
    const design = await buildTeam(organization, {
      title: 'Design',
      members: [
        [member, 'member'],
        [reader, 'member'],
      ],
    });
    const teamsOf = (query = '', { token } = guest) =>
      api.call('GET', `${urlOf(member)}/teams${query}`, { token });
    const { status, body } = await teamsOf();
    expect(status).toBe(200);
    expect(body).toEqual({
      count: 2,
      items: [
        {
          team: expect.objectContaining({
            object: 'team',
            id: design._id,
            members: 2,
            permissions: { view: true, admin: false },
          }),
          member: { role: 'member' },
        },
        {
          team: expect.objectContaining({ object: 'team', id: docs._id, members: 1 }),
          member: { role: 'owner' },
        },
      ],
    });
    expect(
      (await teamsOf('?title=dOCS')).body.items.map(({ team }: { team: { id: string } }) => team.id),
    ).toEqual([docs._id]);
    for (const [title, count] of [
      ['(a+)', 1],
      ['.*', 0],
      ['', 2],
      ['others', 0],
    ] as const)
      expect((await teamsOf(`?title=${encodeURIComponent(title)}`)).body.count, title).toBe(count);
    expect((await api.call('GET', `${urlOf(member)}`, { token: admin.token })).body.teams).toBe(2);
    expect((await teamsOf('', member)).body.items[1].team.permissions.admin).toBe(true);
    expect((await teamsOf('', (await buildOrganization()).admin)).status).toBe(404);
  });

  it('comes in pages', async ({ api, organization, admin, urlOf }) => {
    const member = await buildMember(organization, 'read');
    for (let i = 0; i < 3; i += 1)
      await buildTeam(organization, { title: `Team ${i}`, members: [[member, 'member']] });
    const first = await api.call('GET', `${urlOf(member)}/teams?limit=2`, { token: admin.token });
    const second = await api.call('GET', `${urlOf(member)}/teams?limit=2&page=${first.body.next.page}`, {
      token: admin.token,
    });
    expect(
      [...first.body.items, ...second.body.items].map(({ team }: { team: { title: string } }) => team.title),
    ).toEqual(['Team 2', 'Team 1', 'Team 0']);
    expect(second.body.next).toBeUndefined();
  });
});
