import { Collection, Grant } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildCollection, buildGrant, buildOrganization, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('collectionsPath', ({ organization }) => `/v1/orgs/${organization._id}/collections`)
  .extend(
    'create',
    ({ api, creator, collectionsPath }) =>
      (json?: unknown, { token } = creator) =>
        api.call('POST', collectionsPath, { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'get',
    ({ api, reader }) =>
      (id: string, { token } = reader) =>
        api.call('GET', `/v1/collections/${id}`, { token }),
  )
  .extend(
    'patch',
    ({ api, admin }) =>
      (id: string, json: unknown, { token } = admin, headers: Record<string, string> = {}) =>
        api.call('PATCH', `/v1/collections/${id}`, { token, json, headers }),
  );

describe('POST /v1/orgs/{organizationId}/collections', () => {
  it('creates a collection with defaults from an empty body, and without a body', async ({
    organization,
    create,
  }) => {
    for (const body of [{}, undefined]) {
      const { status, body: collection } = await create(body);
      expect(status).toBe(201);
      expect(collection).toEqual({
        object: 'collection',
        id: expect.stringMatching(/^[0-9A-Za-z]{20}$/),
        title: 'Untitled',
        organization: organization._id,
        defaultLevel: 'read',
        urls: {
          location: `http://api.test/v1/collections/${collection.id}`,
          app: `http://api.test/c/${collection.id}`,
        },
        permissions: { view: true, create: true, viewInviteLinks: true, admin: false },
      });
    }
  });

  it('creates a collection at the end of its parent', async ({ organization, create }) => {
    const parent = await buildCollection(organization);
    const { body: first } = await create({ title: '  Guides  ', parent: parent._id });
    const { body: second } = await create({ title: ' ', parent: parent._id });
    expect([first.title, first.parent, second.title]).toEqual(['Guides', parent._id, 'Untitled']);
    const records = await Collection.find({ siblingsOf: parent._id }).sort({ position: 1 }).lean();
    expect(records.map(({ _id }) => _id)).toEqual([first.id, second.id]);
    expect(records[0]?.ancestors).toEqual([parent._id]);
  });

  it('inherits the permissions of its parent', async ({
    organization,
    admin,
    creator,
    reader,
    create,
    get,
  }) => {
    const parent = await buildCollection(organization, { defaultLevel: null });
    await buildGrant({ collection: parent }, creator, 'create');
    const { body } = await create({ parent: parent._id });
    expect(body).toMatchObject({ defaultLevel: null, permissions: { create: true, admin: false } });
    expect((await get(body.id, reader)).status).toBe(404);
    expect((await get(body.id, admin)).status).toBe(200);
  });

  it.for<[string, unknown]>([
    ['title', 'x'.repeat(51)],
    ['title', null],
    ['title', 'a\0b'],
    ['parent', null],
    ['parent', 7],
    ['parent', 'nothing'],
    ['parent', ''],
  ])('refuses %s = %j and creates nothing', async ([field, value], { create }) => {
    const before = await Collection.countDocuments();
    const { status, body } = await create({ [field]: value });
    expect([status, body.error.details[0].path]).toEqual([400, `body.${field}`]);
    expect(await Collection.countDocuments()).toBe(before);
  });

  it('refuses a parent that is in another organization, hidden from the caller, or read-only for the caller', async ({
    organization,
    create,
  }) => {
    const other = await buildOrganization();
    const elsewhere = await buildCollection(other.organization);
    const hidden = await buildCollection(organization, { defaultLevel: null });
    const readOnly = await buildCollection(organization, { defaultLevel: 'read' });
    for (const { _id } of [elsewhere, hidden, readOnly]) {
      const { status, body } = await create({ parent: _id });
      expect([status, body.error.details[0].path]).toEqual([400, 'body.parent']);
    }
  });

  it('refuses a parent at the limit of nesting', async ({ api, organization, creator, create }) => {
    const deep = await buildCollection(organization, {
      ancestors: Array.from({ length: 98 }, (_, i) => `c${i}`),
    });
    const { status, body } = await create({ parent: deep._id });
    expect(status).toBe(201);
    expect((await create({ parent: body.id })).status).toBe(400);
    const space = await api.call('POST', `/v1/orgs/${organization._id}/spaces`, {
      token: creator.token,
      json: { parent: body.id },
    });
    expect(space.status).toBe(201);
  });

  it('creates one collection, space or copy for one Idempotency-Key, however often it is sent', async ({
    api,
    organization,
    creator,
    collectionsPath,
  }) => {
    const { body: space } = await api.call('POST', `/v1/orgs/${organization._id}/spaces`, {
      token: creator.token,
      json: {},
    });
    const parent = await buildCollection(organization);
    for (const [path, json] of [
      [collectionsPath, { parent: parent._id }],
      [`/v1/orgs/${organization._id}/spaces`, { parent: parent._id }],
      [`/v1/spaces/${space.id}/duplicate`, undefined],
    ] as const) {
      const send = () =>
        api.call('POST', path, {
          token: creator.token,
          headers: { 'idempotency-key': `key of ${path}`.replaceAll(' ', '-') },
          ...(json && { json }),
        });
      const answers = await Promise.all([send(), send()]);
      const made = answers.find(({ status }) => status < 300)?.body;
      expect((await send()).body).toEqual(made);
      expect(made.id).toMatch(/^\w{20}$/);
    }
    expect(await Collection.countDocuments({ siblingsOf: parent._id })).toBe(1);
  });

  it('answers 403 to a member without the permission to create, and 404 to strangers', async ({
    reader,
    guest,
    create,
  }) => {
    expect((await create({}, reader)).status).toBe(403);
    expect((await create({}, guest)).status).toBe(403);
    expect((await create({}, (await buildOrganization()).admin)).status).toBe(404);
  });

  it('refuses fields that a client cannot set', async ({ organization, create }) => {
    for (const field of ['id', 'organization', 'defaultLevel', 'permissions'])
      expect((await create({ title: 'a', [field]: 'x' })).body.error.details[0].path).toBe(`body.${field}`);
    expect((await create({ title: 'a' })).body.organization).toBe(organization._id);
  });
});

describe('GET /v1/collections/{collectionId}', () => {
  it('returns a collection only to callers who can view it', async ({ organization, guest, get }) => {
    const collection = await buildCollection(organization, { title: 'Shown', description: 'What it is' });
    const { status, body, headers } = await get(collection._id);
    expect([status, body.title, body.description]).toEqual([200, 'Shown', 'What it is']);
    expect(headers.get('etag')).toMatch(/^"1\./);
    expect((await get(collection._id, guest)).status).toBe(404);
    expect((await get(collection._id, (await buildOrganization()).admin)).status).toBe(404);
    expect((await get('nothing')).status).toBe(404);
  });
});

describe('PATCH /v1/collections/{collectionId}', () => {
  it('changes only the given fields', async ({ organization, admin, get, patch }) => {
    const { _id: id } = await buildCollection(organization, { title: 'Old', description: 'Words' });
    expect((await patch(id, {})).body).toEqual((await get(id, admin)).body);
    expect((await patch(id, { title: '  New ' })).body).toMatchObject({ title: 'New', description: 'Words' });
    expect((await patch(id, { description: 'More' })).body).toMatchObject({
      title: 'New',
      description: 'More',
    });
    expect((await patch(id, { title: ' ' })).body.title).toBe('Untitled');
    const { body } = await patch(id, { description: '' });
    expect(body).not.toHaveProperty('description');
    expect((await get(id, admin)).body).toEqual(body);
  });

  it('ignores fields that it cannot change', async ({ organization, admin, get, patch }) => {
    const { _id: id } = await buildCollection(organization);
    const before = (await get(id, admin)).body;
    const { status, body } = await patch(id, {
      organization: 'B',
      id: 'x',
      parent: 'y',
      urls: {},
      permissions: { admin: true },
    });
    expect([status, body]).toEqual([200, before]);
  });

  it('applies a new default level to everything below that inherits it', async ({
    api,
    organization,
    admin,
    creator,
    get,
    patch,
  }) => {
    const top = await buildCollection(organization);
    const inner = await buildCollection(organization, { parent: top._id });
    const own = await buildCollection(organization, { parent: top._id, defaultLevel: 'comment' });
    const space = await buildSpace(organization, { parent: inner._id });
    const levels = async () => [
      ...(await Promise.all(
        [top, inner, own].map(async ({ _id }) => (await get(_id, admin)).body.defaultLevel),
      )),
      (await api.call('GET', `/v1/spaces/${space._id}`, { token: admin.token })).body.defaultLevel,
    ];
    expect(await levels()).toEqual(['read', 'read', 'comment', 'read']);
    expect((await patch(top._id, { defaultLevel: 'edit' })).body).toMatchObject({ defaultLevel: 'edit' });
    expect(await levels()).toEqual(['edit', 'edit', 'comment', 'edit']);
    await patch(inner._id, { defaultLevel: null });
    expect(await levels()).toEqual(['edit', null, 'comment', null]);
    expect((await get(inner._id, creator)).status).toBe(404);
    await patch(inner._id, { defaultLevel: 'inherit' });
    await patch(top._id, { defaultLevel: 'inherit' });
    expect(await levels()).toEqual(['read', 'read', 'comment', 'read']);
  });

  it.for<[string, unknown]>([
    ['title', 'x'.repeat(51)],
    ['title', null],
    ['description', 'x'.repeat(101)],
    ['description', null],
    ['defaultLevel', 'owner'],
    ['defaultLevel', 5],
  ])('refuses %s = %j', async ([field, value], { organization, patch }) => {
    const { _id: id } = await buildCollection(organization);
    const { status, body } = await patch(id, { [field]: value });
    expect([status, body.error.details[0].path]).toEqual([400, `body.${field}`]);
  });

  it('needs an admin of the collection, who may be a guest', async ({
    organization,
    creator,
    guest,
    patch,
  }) => {
    const collection = await buildCollection(organization);
    expect((await patch(collection._id, {}, creator)).status).toBe(403);
    expect((await patch(collection._id, {}, guest)).status).toBe(404);
    await buildGrant({ collection }, guest, 'admin');
    expect((await patch(collection._id, { title: 'By a guest' }, guest)).body.title).toBe('By a guest');
    await Grant.deleteMany({ target: collection._id });
  });

  it('honours If-Match', async ({ organization, admin, get, patch }) => {
    const { _id: id } = await buildCollection(organization);
    const etag = (await get(id, admin)).headers.get('etag') ?? '';
    const first = await patch(id, { title: 'First' }, admin, { 'if-match': etag });
    expect(first.status).toBe(200);
    for (const body of [{ title: 'Second' }, { defaultLevel: 'edit' }, {}])
      expect((await patch(id, body, admin, { 'if-match': etag })).status).toBe(412);
    expect(
      (await patch(id, { title: 'Second' }, admin, { 'if-match': first.headers.get('etag') ?? '' })).body
        .title,
    ).toBe('Second');
  });
});
