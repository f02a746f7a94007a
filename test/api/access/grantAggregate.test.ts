import type { Role } from '@bindery/contract';
import {
  Member,
  Site,
  Space,
  type MemberRecord,
  type SiteRecord,
  type SpaceRecord,
  type TeamRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import { roleInContent, roleInSite } from '../../../apps/api/src/permissions/access.ts';
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
import { it as base } from '../../support/it.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const roles: Role[] = ['read', 'comment', 'edit', 'review', 'create', 'admin'];
const random = seededRandom(3);

type Item = { permission: Role; user: { id: string } };

const sorted = (items: Iterable<readonly [string, Role]>) =>
  [...items].map(([user, role]) => `${user} ${role}`).toSorted();

const it = base
  /** Members of every role. */
  .extend('people', { scope: 'file' }, async ({ organization }) => {
    const people: TestUser[] = [];
    for (const role of [...roles, null, ...roles, null, null])
      people.push(await buildMember(organization, role));
    // Of another organization, and not to be listed.
    await buildOrganization();
    return people;
  })
  /** Some of the people are in one or two of three teams. */
  .extend('teams', { scope: 'file' }, async ({ organization, people }) => {
    const teams: TeamRecord[] = [];
    for (let i = 0; i < 3; i += 1) {
      const members = people.filter(() => random.chance(0.3)).map((user) => [user, 'member'] as const);
      teams.push(await buildTeam(organization, { members }));
    }
    return teams;
  })
  .extend(
    'aggregate',
    ({ api, admin, teams: _made }) =>
      async (path: string, query = ''): Promise<Item[]> => {
        const { status, body } = await api.call(
          'GET',
          `/v1${path}/permissions/aggregate?limit=1000${query}`,
          { token: admin.token },
        );
        expect([status, body.count]).toEqual([200, body.items.length]);
        return body.items;
      },
  )
  .extend(
    'expectEverybody',
    ({ organization, aggregate }) =>
      async (path: string, roleOf: (member: MemberRecord) => Role | null): Promise<void> => {
        const members = await Member.find({ organization: organization._id }).lean<MemberRecord[]>();
        const expected = members.flatMap((member) => {
          const role = roleOf(member);
          return role ? [[member.user, role] as const] : [];
        });
        const shown = (items: Item[]) => sorted(items.map(({ user, permission }) => [user.id, permission]));
        expect(shown(await aggregate(path))).toEqual(sorted(expected));
        for (const role of roles)
          expect(shown(await aggregate(path, `&role=${role}`))).toEqual(
            sorted(expected.filter(([, other]) => other === role)),
          );
      },
  );

describe('GET permissions/aggregate', () => {
  it.for(Array.from({ length: 8 }, (_, i) => i))(
    'lists the effective role of each member in a space, for random grants (%i)',
    async (_row, { organization, people, teams, expectEverybody }) => {
      const level = random.pick([...roles, null, 'inherit' as const]);
      const collection = await buildCollection(organization, {
        defaultLevel: random.pick([...roles, null, 'inherit' as const]),
      });
      const space = await buildSpace(organization, { parent: collection._id, defaultLevel: level });
      const principals = [...people, ...teams];
      for (const place of [{ space }, { collection }]) {
        for (const principal of principals.filter(() => random.chance(0.25)))
          await buildGrant(place, principal, random.pick(roles));
      }
      const { access } = (await Space.findById(space._id).lean<SpaceRecord>()) as SpaceRecord;
      await expectEverybody(`/spaces/${space._id}`, (member) => roleInContent({ member, access }));
    },
  );

  it.for(Array.from({ length: 4 }, (_, i) => i))(
    'lists the effective role of each member in a site, for random grants (%i)',
    async (_row, { api, organization, admin, people, teams, expectEverybody }) => {
      const site = await buildSite(organization);
      const path = `/orgs/${organization._id}/sites/${site._id}`;
      for (const { user } of people.filter(() => random.chance(0.4))) {
        const json = { role: random.pick(roles), users: [user._id] };
        expect((await api.call('POST', `/v1${path}/permissions`, { token: admin.token, json })).status).toBe(
          204,
        );
      }
      const json = { role: random.pick(roles), teams: [random.pick(teams)._id] };
      await api.call('POST', `/v1${path}/permissions`, { token: admin.token, json });
      const { access } = (await Site.findById(site._id).lean<SiteRecord>()) as SiteRecord;
      await expectEverybody(path, (member) => roleInSite({ member, access }));
    },
  );

  it('names the origin of each role in a site', async ({ api, organization, admin, aggregate }) => {
    const site = await buildSite(organization);
    const path = `/orgs/${organization._id}/sites/${site._id}`;
    const [reader, guest, inTeam] = [
      await buildMember(organization, 'read'),
      await buildMember(organization, null),
      await buildMember(organization, null),
    ];
    const team = await buildTeam(organization, { members: [[inTeam, 'member']] });
    const give = (json: unknown) => api.call('POST', `/v1${path}/permissions`, { token: admin.token, json });
    await give({ role: 'edit', users: [guest.user._id], teams: [team._id] });
    await give({ role: 'read', users: [reader.user._id, admin.user._id] });
    const items = new Map((await aggregate(path)).map((item) => [item.user.id, item]));
    const seen = { user: expect.objectContaining({ object: 'user' }), disabled: false };
    const own = { type: 'organization', organization: organization._id };
    expect(items.get(admin.user._id)).toEqual({ ...seen, permission: 'admin', origin: own });
    expect(items.get(reader.user._id)).toEqual({ ...seen, permission: 'read', origin: own });
    expect(items.get(guest.user._id)).toEqual({
      ...seen,
      permission: 'edit',
      origin: { type: 'site', site: site._id, reason: 'member' },
    });
    expect(items.get(inTeam.user._id)).toEqual({
      ...seen,
      permission: 'edit',
      origin: { type: 'site', site: site._id, reason: 'team', team: team._id },
    });
    await Member.updateOne(
      { user: reader.user._id, organization: organization._id },
      { $set: { lastSeenAt: new Date('2026-01-02T03:04:05.678Z') } },
    );
    expect((await aggregate(path)).find(({ user }) => user.id === reader.user._id)).toMatchObject({
      lastSeenAt: '2026-01-02T03:04:05.678Z',
    });
  });

  it('returns pages, newest members first, and refuses a filter that is not a role', async ({
    api,
    admin,
    space,
    aggregate,
  }) => {
    const all = (await aggregate(`/spaces/${space._id}`)).map(({ user }) => user.id);
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const query = `limit=4${page ? `&page=${page}` : ''}`;
      const { body } = await api.call('GET', `/v1/spaces/${space._id}/permissions/aggregate?${query}`, {
        token: admin.token,
      });
      seen.push(...body.items.map(({ user }: Item) => user.id));
      page = body.next?.page;
    } while (page);
    expect(seen).toEqual(all);
    expect(all.at(-1)).toBe(admin.user._id);
    for (const role of ['owner', '', 'guest']) {
      expect(
        (
          await api.call('GET', `/v1/spaces/${space._id}/permissions/aggregate?role=${role}`, {
            token: admin.token,
          })
        ).status,
      ).toBe(400);
    }
  });
});
