import {
  Collection,
  Grant,
  Space,
  type CollectionRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildGrant,
  buildMember,
  buildMembership,
  buildOrganization,
  buildSpace,
  buildTeam,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { examinedBy } from '../../support/stores/examined.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

// Somebody who is an admin of a collection by its level alone, and what is closed below it.

const it = base
  .extend('collection', ({ organization }) => buildCollection(organization, { defaultLevel: 'admin' }))
  .extend('mallory', ({ organization }) => buildMember(organization, 'create'))
  .extend('closedSpace', async ({ organization, collection }) =>
    buildSpace(organization, { parent: collection._id, defaultLevel: null }),
  )
  .extend(
    'call',
    ({ api, mallory }) =>
      (method: string, path: string, json?: object, { token } = mallory) =>
        api.call(method, `/v1${path}`, { token, ...(json && { json }) }),
  )
  .extend('elsewhere', async ({ mallory }) => {
    const { organization } = await buildOrganization();
    await buildMembership(organization, mallory, 'admin');
    return organization;
  })
  /** Everything with which an admin of a collection could open what is below it. */
  .extend(
    'attempts',
    ({ organization, collection, mallory, elsewhere, call, api: _started }) =>
      async (): Promise<[string, () => ReturnType<typeof call>][]> => {
        const at = `/collections/${collection._id}`;
        const team = await buildTeam(organization, { members: [[mallory, 'member']] });
        const [other, friend] = [
          await buildMember(organization, null),
          await buildMember(organization, null),
        ];
        await buildGrant({ collection }, other, 'read');
        const friends = await buildTeam(organization);
        await buildGrant({ collection }, friends, 'read');
        const granted = await buildCollection(organization, { defaultLevel: 'admin' });
        await buildGrant({ collection: granted }, team, 'admin');
        return [
          [
            'a grant to a friend',
            () => call('POST', `${at}/permissions`, { role: 'read', users: [friend.user._id] }),
          ],
          [
            'a grant to their team',
            () => call('POST', `${at}/permissions`, { role: 'admin', teams: [team._id] }),
          ],
          [
            'more for a user',
            () => call('PATCH', `${at}/permissions/users/${other.user._id}`, { role: 'admin' }),
          ],
          [
            'more for a team',
            () => call('PATCH', `${at}/permissions/teams/${friends._id}`, { role: 'admin' }),
          ],
          ['a place where their team is admin', () => call('POST', `${at}/move`, { parent: granted._id })],
          [
            'a grant to themself',
            () => call('POST', `${at}/permissions`, { role: 'admin', users: [mallory.user._id] }),
          ],
          ['a transfer', () => call('POST', `${at}/transfer`, { organization: elsewhere._id })],
        ];
      },
  );

const inTheWay = (counted: string) => ({
  error: { type: 'forbidden', message: expect.stringContaining(`: it contains ${counted}`) },
});

describe('an admin of a collection by its default level', () => {
  it('cannot open a closed space below it', async ({
    organization,
    collection,
    closedSpace,
    mallory,
    attempts,
    call,
  }) => {
    expect((await call('GET', `/collections/${collection._id}`)).body.permissions.admin).toBe(true);
    const tries = await attempts();
    const before = await stateOf(organization);
    const grants = await Grant.countDocuments({ organization: organization._id });
    for (const [name, attempt] of tries) {
      const { status, body, text } = await attempt();
      expect([name, status, body]).toMatchObject([name, 403, inTheWay('1 space')]);
      expect(text).not.toContain(closedSpace._id);
      expect([name, (await call('GET', `/spaces/${closedSpace._id}`)).status]).toEqual([name, 404]);
    }
    expect(await Grant.countDocuments({ organization: organization._id })).toBe(grants);
    expect(await stateOf(organization)).toEqual(before);
    expect((await call('GET', `/orgs/${organization._id}/spaces`, undefined, mallory)).body.count).toBe(0);
  });

  it('receives the number of blocking spaces and collections at any depth, deleted ones too, but no titles', async ({
    organization,
    collection,
    mallory,
    call,
  }) => {
    const inner = await buildCollection(organization, {
      parent: collection._id,
      title: 'Secret plan',
      defaultLevel: null,
    });
    await buildSpace(organization, { parent: inner._id, title: 'Secret space' });
    await changeSpace(await buildSpace(organization, { parent: inner._id, defaultLevel: null }), {
      deletedAt: new Date(),
    });
    await buildSpace(organization, { parent: collection._id, defaultLevel: 'edit' });
    await buildSpace(organization, { parent: collection._id });
    const lower = await buildSpace(organization, { parent: collection._id });
    await buildGrant({ space: lower }, mallory, 'review');
    const { status, body, text } = await call('POST', `/collections/${collection._id}/permissions`, {
      role: 'read',
      users: [mallory.user._id],
    });
    expect([status, body]).toMatchObject([403, inTheWay('4 spaces and 1 collection')]);
    expect(text).not.toMatch(/Secret/);
  });

  it('can grant, move and transfer when they are admin of everything below', async ({
    organization,
    collection,
    mallory,
    attempts,
  }) => {
    const space = await buildSpace(organization, { parent: collection._id });
    const closed = await buildSpace(organization, { parent: collection._id, defaultLevel: null });
    await buildGrant({ space: closed }, mallory, 'admin');
    const inner = await buildCollection(organization, { parent: collection._id, defaultLevel: null });
    const team = await buildTeam(organization, { members: [[mallory, 'member']] });
    await buildGrant({ collection: inner }, team, 'admin');
    await buildSpace(organization, { parent: inner._id });
    for (const [name, attempt] of await attempts()) {
      const { status } = await attempt();
      expect([name, status]).toEqual([name, [200, 204].includes(status) ? status : 'a success']);
    }
    expect((await Space.findById(space._id).lean())?.organization).not.toBe(organization._id);
  });

  it('can remove grants, and move it to a place without grants', async ({
    organization,
    collection,
    closedSpace,
    mallory,
    call,
  }) => {
    const other = await buildMember(organization, null);
    await buildGrant({ collection }, other, 'read');
    const at = `/collections/${collection._id}`;
    expect((await call('POST', `${at}/permissions`, { role: null, users: [other.user._id] })).status).toBe(
      204,
    );
    const plain = await buildCollection(organization, { defaultLevel: 'admin' });
    expect((await call('POST', `${at}/move`, { parent: plain._id })).status).toBe(200);
    expect((await call('GET', `/spaces/${closedSpace._id}`, undefined, mallory)).status).toBe(404);
  });
});

describe('an admin of a collection by a grant, and an admin of the organization', () => {
  it('can grant roles in it despite closed spaces: they are admins of everything below', async ({
    organization,
    admin,
    collection,
    closedSpace,
    mallory,
    call,
  }) => {
    const friend = await buildMember(organization, null);
    const grant = async (by: TestUser) =>
      (
        await call(
          'POST',
          `/collections/${collection._id}/permissions`,
          { role: 'read', users: [friend.user._id] },
          by,
        )
      ).status;
    expect(await grant(admin)).toBe(204);
    await buildGrant({ collection }, mallory, 'admin');
    expect(await grant(mallory)).toBe(204);
    expect((await call('GET', `/spaces/${closedSpace._id}`, undefined, friend)).status).toBe(200);
  });
});

describe('10,000 spaces below a collection', () => {
  it(
    'are read through an index, and no more of them than are counted',
    { timeout: 120_000 },
    async ({ organization, collection, mallory, call }) => {
      const pattern = await buildSpace(organization, { parent: collection._id });
      const spaces = (count: number, level: 'admin' | null): SpaceRecord[] =>
        Array.from({ length: count }, () => ({
          ...pattern,
          _id: newId(),
          defaultLevel: level,
          access: { level, grants: [], readers: level ? ['members'] : [] },
        }));
      await Space.insertMany(spaces(10_000, 'admin'));
      await Space.insertMany(spaces(1, null));
      const attempt = async () =>
        (
          await call('POST', `/collections/${collection._id}/permissions`, {
            role: 'read',
            users: [mallory.user._id],
          })
        ).body;
      const seen = await examinedBy(['spaces', 'collections'], async () => {
        expect(await attempt()).toMatchObject(inTheWay('1 space'));
      });
      expect(seen.documents).toBeLessThan(10_020);
      await Space.updateMany({ ancestors: collection._id }, { $set: { 'access.level': null } });
      const many = await examinedBy(['spaces', 'collections'], async () => {
        expect(await attempt()).toMatchObject(inTheWay('more than 1000 spaces'));
      });
      expect(many.documents).toBeLessThan(1_020);
    },
  );
});

/** Where everything of an organization stands, and who may see it. */
async function stateOf({ _id: organization }: OrganizationRecord) {
  const spaces = await Space.find({ organization }).lean<SpaceRecord[]>();
  const collections = await Collection.find({ organization }).lean<CollectionRecord[]>();
  return new Map(
    [...spaces, ...collections].map(({ _id, ancestors, access }) => [_id, { ancestors, access }]),
  );
}
