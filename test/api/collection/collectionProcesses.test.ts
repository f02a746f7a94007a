import { Collection, Space, type CollectionRecord } from '@bindery/models';
import { expect } from 'vitest';
import { startApp } from '../../support/processes/appProcess.ts';
import { buildCollection, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { seededRandom } from '../../support/seededRandom.ts';

// Within one process, changes of a tree queue up; between processes only the transactions keep them apart.

const it = base.extend('others', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
  const others = [
    await startApp('api', { ...process.env, PORT: '0' }),
    await startApp('api', { ...process.env, PORT: '0' }),
  ];
  onCleanup(async () => {
    for (const { signal } of others) signal('SIGTERM');
    await Promise.all(others.map(({ ended }) => ended));
  });
  return others;
});

it(
  'concurrent changes of one tree in three processes leave a valid tree',
  { timeout: 60_000 },
  async ({ api, organization, admin, others }) => {
    const origins = [api.origin, ...others.map(({ port }) => `http://127.0.0.1:${port}`)];
    const random = seededRandom(11);
    const send = async (path: string, json: unknown) => {
      const response = await fetch(`${random.pick(origins)}/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(json),
      });
      await response.arrayBuffer();
      return response.status;
    };
    const collections: CollectionRecord[] = [];
    for (let i = 0; i < 6; i += 1) collections.push(await buildCollection(organization));
    const spaces = [
      await buildSpace(organization),
      await buildSpace(organization),
      await buildSpace(organization),
    ];
    const someParent = () => random.pick(collections)._id;
    for (let round = 0; round < 3; round += 1) {
      const calls = Array.from({ length: 36 }, (_, i) => {
        if (i % 4 === 0) return send(`/orgs/${organization._id}/spaces`, { parent: someParent() });
        if (i % 4 === 1) return send(`/spaces/${random.pick(spaces)._id}/move`, { parent: someParent() });
        return send(`/collections/${random.pick(collections)._id}/move`, {
          parent: random.chance(0.2) ? null : someParent(),
        });
      });
      for (const status of await Promise.all(calls)) expect([200, 201, 400, 409]).toContain(status);
      const found = await Collection.find({ organization: organization._id }).lean<CollectionRecord[]>();
      const byId = new Map(found.map((collection) => [collection._id, collection]));
      for (const { _id, parent, ancestors } of [
        ...found,
        ...(await Space.find({ organization: organization._id }).lean()),
      ]) {
        const above = parent === undefined ? undefined : byId.get(parent);
        expect(ancestors).toEqual(above ? [...above.ancestors, above._id] : []);
        expect(ancestors).not.toContain(_id);
      }
    }
    expect(await Space.countDocuments({ organization: organization._id })).toBe(3 + 27);
  },
);
