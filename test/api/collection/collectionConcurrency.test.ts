import { Collection, Space, type CollectionRecord, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildCollection, buildOrganization, buildSpace } from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const it = base
  .extend(
    'call',
    ({ api, admin }) =>
      (method: string, path: string, json?: unknown) =>
        api.call(method, `/v1${path}`, { token: admin.token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'move',
    ({ call }) =>
      (kind: 'collection' | 'space', id: string, json: unknown) =>
        call('POST', `/${kind}s/${id}/move`, json),
  )
  /** Checks the invariants of every tree. */
  .extend(
    'checkTree',
    ({ organization }) =>
      async (): Promise<{ collections: CollectionRecord[]; spaces: SpaceRecord[] }> => {
        const collections = await Collection.find({ organization: organization._id }).lean<
          CollectionRecord[]
        >();
        const spaces = await Space.find({ organization: organization._id }).lean<SpaceRecord[]>();
        const byId = new Map(collections.map((collection) => [collection._id, collection]));
        for (const { _id, parent, ancestors, siblingsOf } of [...collections, ...spaces]) {
          const above = parent === undefined ? undefined : byId.get(parent);
          expect(above?._id, _id).toBe(parent);
          expect(ancestors).toEqual(above ? [...above.ancestors, above._id] : []);
          expect(ancestors).not.toContain(_id);
          expect(siblingsOf).toBe(parent ?? organization._id);
        }
        const places = [...collections, ...spaces].map(
          ({ siblingsOf, position }) => `${siblingsOf} ${position}`,
        );
        expect(new Set(places).size).toBe(places.length);
        return { collections, spaces };
      },
  );

describe('at the same time', () => {
  it(
    '200 collections and spaces are created in one collection, each at its own position',
    { timeout: 60_000 },
    async ({ organization, call, checkTree }) => {
      const { _id: parent } = await buildCollection(organization);
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          call('POST', `/orgs/${organization._id}/${i % 2 ? 'spaces' : 'collections'}`, {
            title: `${i}`,
            parent,
          }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      const { collections, spaces } = await checkTree();
      expect([collections.length, spaces.length]).toEqual([101, 100]);
      expect((await call('GET', `/collections/${parent}/spaces?limit=0`)).body.count).toBe(100);
    },
  );

  it(
    '100 collections and spaces are created at the root, each at its own position',
    { timeout: 60_000 },
    async ({ organization, call, checkTree }) => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          call('POST', `/orgs/${organization._id}/${i % 2 ? 'spaces' : 'collections'}`),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      await checkTree();
    },
  );

  it('two collections are moved into each other: one of them is refused', async ({
    organization,
    move,
    checkTree,
  }) => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await buildCollection(organization), await buildCollection(organization)];
      const answers = await Promise.all([
        move('collection', a._id, { parent: b._id }),
        move('collection', b._id, { parent: a._id }),
      ]);
      expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 400]);
      await checkTree();
    }
  });

  it('moves of collections into each other never close a ring', async ({ organization, move, checkTree }) => {
    const ring: CollectionRecord[] = [];
    for (let i = 0; i < 8; i += 1) ring.push(await buildCollection(organization));
    const answers = await Promise.all(
      ring.map(({ _id }, i) => move('collection', _id, { parent: ring[(i + 1) % ring.length]?._id })),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([400]);
    await checkTree();
  });

  it(
    'random moves of collections and spaces leave a valid tree',
    { timeout: 60_000 },
    async ({ organization, move, checkTree }) => {
      const { below, pick } = seededRandom(7);
      const collections: CollectionRecord[] = [];
      const spaces: SpaceRecord[] = [];
      for (let i = 0; i < 8; i += 1) collections.push(await buildCollection(organization));
      for (let i = 0; i < 8; i += 1) spaces.push(await buildSpace(organization));
      const answers = await Promise.all(
        Array.from({ length: 150 }, () => {
          const parent = below(4) === 0 ? null : pick(collections)._id;
          return below(2)
            ? move('collection', pick(collections)._id, { parent })
            : move('space', pick(spaces)._id, { parent });
        }),
      );
      expect(
        new Set(answers.map(({ status }) => status).filter((status) => ![200, 400, 409].includes(status))),
      ).toEqual(new Set());
      const tree = await checkTree();
      expect([tree.collections.length, tree.spaces.length]).toEqual([8, 8]);
    },
  );

  it('30 spaces are moved before the same space, each to its own position', async ({
    organization,
    call,
    move,
    checkTree,
  }) => {
    const { _id: parent } = await buildCollection(organization);
    const first = await buildSpace(organization, { parent });
    const spaces = [];
    for (let i = 0; i < 30; i += 1) spaces.push(await buildSpace(organization));
    const position = { before: { type: 'space', space: first._id } };
    const answers = await Promise.all(spaces.map(({ _id }) => move('space', _id, { parent, position })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await checkTree();
    const { items } = (await call('GET', `/collections/${parent}/spaces?limit=100`)).body;
    expect([items.length, items.at(-1).id]).toEqual([31, first._id]);
  });

  it('a collection is deleted during moves and creations in it, and the tree stays valid', async ({
    organization,
    call,
    move,
    checkTree,
  }) => {
    for (let round = 0; round < 5; round += 1) {
      const { _id: parent } = await buildCollection(organization);
      const { _id: inner } = await buildCollection(organization, { parent });
      const [moved, movedCollection] = [await buildSpace(organization), await buildCollection(organization)];
      const answers = await Promise.all([
        call('POST', `/orgs/${organization._id}/spaces`, { parent: inner }),
        call('POST', `/orgs/${organization._id}/collections`, { parent }),
        move('space', moved._id, { parent: inner }),
        move('collection', movedCollection._id, { parent }),
        call('DELETE', `/collections/${parent}`),
        call('POST', `/orgs/${organization._id}/spaces`, { parent }),
        move('space', moved._id, { parent }),
      ]);
      for (const { status } of answers) expect([200, 201, 204, 400, 404, 409]).toContain(status);
      await checkTree();
    }
  });

  it(
    'levels and grants change while spaces move, and each space ends with the access of its parent',
    { timeout: 60_000 },
    async ({ organization, admin, call, move, checkTree }) => {
      const closed = await buildCollection(organization);
      const open = await buildCollection(organization);
      const spaces = [];
      for (let i = 0; i < 6; i += 1)
        spaces.push(await buildSpace(organization, { parent: (i % 2 ? closed : open)._id }));
      await Promise.all([
        ...spaces.flatMap(({ _id }, i) => [
          move('space', _id, { parent: (i % 2 ? open : closed)._id }),
          move('space', _id, { parent: closed._id }),
        ]),
        call('PATCH', `/collections/${closed._id}`, { defaultLevel: null }),
        call('PATCH', `/collections/${open._id}`, { defaultLevel: 'edit' }),
        call('POST', `/collections/${closed._id}/permissions`, { role: 'read', users: [admin.user._id] }),
      ]);
      const { spaces: found } = await checkTree();
      for (const { parent, access } of found) {
        expect(access).toEqual(
          parent === closed._id
            ? { level: null, grants: [{ to: admin.user._id, role: 'read' }], readers: [admin.user._id] }
            : { level: 'edit', grants: [], readers: ['members'] },
        );
      }
    },
  );
});

it('deletes a large collection while spaces in it are edited', async ({ api }) => {
  const { organization: own, admin: owner } = await buildOrganization();
  const collection = await buildCollection(own, { title: 'Large' });
  const spaces = await Promise.all(
    Array.from({ length: 120 }, async () => buildSpace(own, { parent: collection._id })),
  );
  let isDeleted = false;
  const work = spaces.slice(-4).map(async ({ _id }) => {
    while (!isDeleted)
      await api.call('PATCH', `/v1/spaces/${_id}`, { token: owner.token, json: { language: 'de' } });
  });
  const { status } = await api.call('DELETE', `/v1/collections/${collection._id}`, { token: owner.token });
  isDeleted = true;
  await Promise.all(work);
  expect(status).toBe(204);
  expect(await Space.countDocuments({ organization: own._id, isDeleted: true })).toBe(120);
}, 30_000);
