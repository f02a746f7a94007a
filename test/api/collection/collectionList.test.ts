import { Collection, type CollectionRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildGrant,
  buildMember,
  buildOrganization,
  buildSpace,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base.extend('titles', ({ api }) => async (path: string, { token }: TestUser) => {
  const { status, body } = await api.call('GET', path, { token });
  expect(status).toBe(200);
  expect(body.count).toBe(body.items.length);
  return body.items.map(({ title }: { title: string }) => title);
});

describe('GET /v1/orgs/{organizationId}/collections', () => {
  it('lists nested collections too unless nested=false, each parent in its order', async ({
    api,
    titles,
  }) => {
    const { organization, admin } = await buildOrganization();
    const b = await buildCollection(organization, { title: 'B' });
    await buildCollection(organization, { title: 'A' });
    const inner = await buildCollection(organization, { title: 'B1', parent: b._id });
    await buildCollection(organization, { title: 'B2', parent: b._id });
    await buildCollection(organization, { title: 'B11', parent: inner._id });
    const path = `/v1/orgs/${organization._id}/collections`;
    expect(await titles(`${path}?nested=false`, admin)).toEqual(['B', 'A']);
    const all = await titles(path, admin);
    expect(all.toSorted()).toEqual(['A', 'B', 'B1', 'B11', 'B2']);
    expect(all.filter((title: string) => /^B.$/.test(title))).toEqual(['B1', 'B2']);
    expect(await titles(`${path}?nested=true`, admin)).toEqual(all);
    for (const nested of ['1', 'yes', '', 'TRUE'])
      expect((await api.call('GET', `${path}?nested=${nested}`, { token: admin.token })).status).toBe(400);
  });

  it('lists and counts only the collections that the caller can view', async ({ titles }) => {
    const { organization, admin } = await buildOrganization();
    const closed = await buildCollection(organization, { title: 'closed', defaultLevel: null });
    await buildCollection(organization, { title: 'open' });
    const inner = await buildCollection(organization, { title: 'inner', parent: closed._id });
    const guest = await buildMember(organization, null);
    const member = await buildMember(organization, 'create');
    const path = `/v1/orgs/${organization._id}/collections`;
    expect(await titles(path, guest)).toEqual([]);
    expect(await titles(path, member)).toEqual(['open']);
    expect((await titles(path, admin)).toSorted()).toEqual(['closed', 'inner', 'open']);
    await buildGrant({ collection: inner }, guest, 'read');
    expect(await titles(path, guest)).toEqual(['inner']);
    expect(await titles(`${path}?nested=false`, guest)).toEqual([]);
  });

  it('returns each collection once across pages', async ({ api }) => {
    const { organization, admin } = await buildOrganization();
    const made: CollectionRecord[] = [];
    for (let i = 0; i < 7; i += 1) made.push(await buildCollection(organization, { title: `${i}` }));
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { body } = await api.call(
        'GET',
        `/v1/orgs/${organization._id}/collections?limit=3${page ? `&page=${page}` : ''}`,
        {
          token: admin.token,
        },
      );
      expect(body.count).toBe(7);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      page = body.next?.page;
    } while (page);
    expect(seen).toEqual(made.map(({ _id }) => _id));
  });
});

describe('GET /v1/collections/{collectionId}/spaces', () => {
  it('lists direct children only, in their order, without deleted and hidden spaces', async ({
    api,
    titles,
  }) => {
    const { organization, admin } = await buildOrganization();
    const member = await buildMember(organization, 'read');
    const collection = await buildCollection(organization);
    const inner = await buildCollection(organization, { parent: collection._id });
    for (const title of ['first', 'second', 'third'])
      await buildSpace(organization, { title, parent: collection._id });
    await buildSpace(organization, { title: 'closed', parent: collection._id, defaultLevel: null });
    await changeSpace(await buildSpace(organization, { title: 'deleted', parent: collection._id }), {
      deletedAt: new Date(),
    });
    await buildSpace(organization, { title: 'deeper', parent: inner._id });
    await buildSpace(organization, { title: 'root' });
    const path = `/v1/collections/${collection._id}/spaces`;
    expect(await titles(path, member)).toEqual(['first', 'second', 'third']);
    expect(await titles(path, admin)).toEqual(['first', 'second', 'third', 'closed']);
    const { body } = await api.call('GET', `${path}?limit=1`, { token: member.token });
    expect([body.count, body.items[0].parent, body.items[0].visibility]).toEqual([
      3,
      collection._id,
      'in-collection',
    ]);
    const next = await api.call('GET', `${path}?limit=2&page=${body.next.page}`, { token: member.token });
    expect(next.body.items.map(({ title }: { title: string }) => title)).toEqual(['second', 'third']);
    expect(next.body).not.toHaveProperty('next');
  });

  it('answers 404 when the collection is hidden or deleted', async ({ api, titles }) => {
    const { organization, admin } = await buildOrganization();
    const { _id: id } = await buildCollection(organization, { defaultLevel: null });
    const path = `/v1/collections/${id}/spaces`;
    expect(await titles(path, admin)).toEqual([]);
    expect(
      (await api.call('GET', path, { token: (await buildMember(organization, 'create')).token })).status,
    ).toBe(404);
    await Collection.deleteOne({ _id: id });
    expect((await api.call('GET', path, { token: admin.token })).status).toBe(404);
  });
});
