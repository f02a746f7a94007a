import { Collection, Grant, Space, Translation, type TranslationRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildGrant,
  buildMember,
  buildMembership,
  buildOrganization,
  buildRevision,
  buildSite,
  buildSiteSpace,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

const it = base
  .extend('from', ({ home }) => home.organization)
  /** Admin of the first, and may create in the second. */
  .extend('mover', ({ home }) => home.admin)
  .extend('destination', async ({ mover }) => {
    const destination = await buildOrganization({ defaultRole: 'comment' });
    await buildMembership(destination.organization, mover, 'create');
    return destination;
  })
  .extend('to', ({ destination }) => destination.organization)
  .extend('admin', ({ destination }) => destination.admin)
  .extend(
    'transfer',
    ({ api, mover }) =>
      ({ _id }: { _id: string }, organization: unknown, { token } = mover) =>
        api.call('POST', `/v1/collections/${_id}/transfer`, { token, json: { organization } }),
  )
  .extend(
    'get',
    ({ api, admin }) =>
      async (path: string, { token } = admin) =>
        api.call('GET', `/v1${path}`, { token }),
  );

describe('POST /v1/collections/{collectionId}/transfer', () => {
  it('moves everything in it to the root of the other organization', async ({
    api,
    admin,
    from,
    to,
    mover,
    transfer,
    get,
  }) => {
    const above = await buildCollection(from, { defaultLevel: 'edit' });
    const top = await buildCollection(from, { title: 'Top', parent: above._id });
    const inner = await buildCollection(from, { title: 'Inner', parent: top._id, defaultLevel: 'review' });
    const direct = await buildSpace(from, { title: 'Direct', parent: top._id });
    const deep = await buildSpace(from, { title: 'Deep', parent: inner._id });
    const beside = await buildSpace(from, { title: 'Beside', parent: above._id });
    await buildRevision(deep, { pages: [{ id: 'p', path: 'p', source: `# ${newId()}` }] });
    const deleted = await changeSpace(await buildSpace(from, { title: 'Deleted', parent: inner._id }), {
      deletedAt: new Date(),
    });

    const { status, body } = await transfer(top, to._id);
    expect([status, body.id, body.organization, body.defaultLevel]).toEqual([
      200,
      top._id,
      to._id,
      'comment',
    ]);
    expect(body).not.toHaveProperty('parent');
    expect((await get(`/collections/${inner._id}`)).body).toMatchObject({
      organization: to._id,
      parent: top._id,
      defaultLevel: 'review',
    });
    expect((await get(`/orgs/${to._id}/collections`)).body.count).toBe(2);
    expect((await get(`/orgs/${to._id}/collections?nested=false`)).body.count).toBe(1);
    expect((await get(`/collections/${inner._id}/spaces`)).body.items).toMatchObject([
      { title: 'Deep', organization: to._id, defaultLevel: 'review' },
    ]);
    expect((await get(`/collections/${top._id}/spaces`)).body.items).toMatchObject([
      { title: 'Direct', defaultLevel: 'comment' },
    ]);
    expect((await get(`/spaces/${deep._id}/content/page/p`)).status).toBe(200);
    expect((await Collection.findById(inner._id).lean())?.ancestors).toEqual([top._id]);
    expect((await Space.findById(deep._id).lean())?.ancestors).toEqual([top._id, inner._id]);
    expect(
      (await api.call('POST', `/v1/spaces/${deleted._id}/restore`, { token: admin.token })).body,
    ).toMatchObject({
      parent: inner._id,
      organization: to._id,
    });
    expect((await get(`/orgs/${from._id}/spaces`, mover)).body.items).toMatchObject([{ id: beside._id }]);
    expect((await get(`/spaces/${direct._id}`, await buildMember(from, 'admin'))).status).toBe(404);
  });

  it('keeps grants to members of the other organization at any depth, and removes the other grants', async ({
    from,
    to,
    transfer,
    get,
  }) => {
    const top = await buildCollection(from, { defaultLevel: null });
    const inner = await buildCollection(from, { parent: top._id });
    const space = await buildSpace(from, { parent: inner._id });
    const [inBoth, onlyHere] = [await buildMember(from, null), await buildMember(from, null)];
    await buildMembership(to, inBoth, null);
    for (const place of [{ collection: top }, { collection: inner }, { space }]) {
      await buildGrant(place, inBoth, 'edit');
      await buildGrant(place, onlyHere, 'edit');
    }
    await transfer(top, to._id);
    expect((await get(`/spaces/${space._id}`, inBoth)).body.permissions).toMatchObject({
      edit: true,
      review: false,
    });
    expect((await get(`/spaces/${space._id}`, onlyHere)).status).toBe(404);
    const grants = await Grant.find({ target: { $in: [top._id, inner._id, space._id] } }).lean();
    expect(new Set(grants.map(({ principal, organization }) => `${principal} ${organization}`))).toEqual(
      new Set([`${inBoth.user._id} ${to._id}`]),
    );
    expect(grants).toHaveLength(3);
  });

  it('answers 409 for its own organization, and 404 for one where the caller cannot create', async ({
    from,
    mover,
    transfer,
  }) => {
    const collection = await buildCollection(from);
    expect((await transfer(collection, from._id)).status).toBe(409);
    expect((await transfer(collection, 'nothing')).status).toBe(404);
    const { organization } = await buildOrganization();
    expect((await transfer(collection, organization._id)).status).toBe(404);
    await buildMembership(organization, mover, 'edit');
    expect((await transfer(collection, organization._id)).status).toBe(404);
  });

  it('needs an admin of the collection', async ({ admin, from, to, transfer }) => {
    const collection = await buildCollection(from);
    const creator = await buildMember(from, 'create');
    await buildMembership(to, creator, 'admin');
    expect((await transfer(collection, to._id, creator)).status).toBe(403);
    expect((await transfer(collection, to._id, admin)).status).toBe(404);
    expect((await transfer(collection, undefined)).status).toBe(400);
  });

  it('answers 412 while a space in it is on a site, and moves nothing', async ({
    from,
    to,
    mover,
    transfer,
    get,
  }) => {
    const top = await buildCollection(from);
    const inner = await buildCollection(from, { parent: top._id });
    await buildSiteSpace(await buildSite(from), { space: await buildSpace(from, { parent: inner._id }) });
    expect((await transfer(top, to._id)).status).toBe(412);
    expect((await get(`/orgs/${from._id}/collections`, mover)).body.count).toBe(2);
    expect((await get(`/orgs/${to._id}/collections`)).body.count).toBe(0);
  });

  it('ends translations whose source and result would be in two organizations', async ({
    from,
    to,
    transfer,
  }) => {
    const collection = await buildCollection(from);
    const [source, result, other] = [
      await buildSpace(from, { parent: collection._id }),
      await buildSpace(from),
      await buildSpace(from),
    ];
    const translation = (sourceSpace: string, resultSpace: string, language: string): TranslationRecord => ({
      _id: newId(),
      organization: from._id,
      source: { space: sourceSpace, language: 'en' },
      language,
      instructions: '{}',
      instructionsRevision: 1,
      result: { space: resultSpace },
      stats: {
        runs: 0,
        totalWords: 0,
        totalPages: 0,
        totalDuration: 0,
        latestRunDuration: 0,
        latestPages: 0,
        latestWords: 0,
      },
      job: 'job',
      createdBy: 'nobody',
      createdAt: new Date(),
      updatedAt: new Date(),
      version: 1,
    });
    await Translation.create([
      translation(source._id, result._id, 'de'),
      translation(other._id, source._id, 'fr'),
      translation(other._id, result._id, 'es'),
    ]);
    await transfer(collection, to._id);
    expect(await Translation.distinct('language', { organization: from._id })).toEqual(['es']);
  });
});
