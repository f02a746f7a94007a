import { Space, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildCollection, buildGrant, buildMember, buildOrganization } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend(
    'create',
    ({ api, organization, creator }) =>
      (json?: unknown, { token } = creator) =>
        api.call('POST', `/v1/orgs/${organization._id}/spaces`, {
          token,
          ...(json !== undefined && { json }),
        }),
  )
  .extend(
    'get',
    ({ api, reader }) =>
      (space: Pick<SpaceRecord, '_id'>, { token } = reader, query = '') =>
        api.call('GET', `/v1/spaces/${space._id}${query}`, { token }),
  );

describe('POST /v1/orgs/{organizationId}/spaces', () => {
  it('makes a space with defaults from an empty body, and from none', async ({ organization, create }) => {
    for (const body of [{}, undefined]) {
      const { status, body: space } = await create(body);
      expect(status).toBe(201);
      expect(space).toMatchObject({
        object: 'space',
        title: 'Untitled',
        emoji: '1f4d6',
        editMode: 'live',
        visibility: 'private',
        organization: organization._id,
        defaultLevel: 'read',
        mergeRules: { type: 'inherit' },
        permissions: {
          view: true,
          edit: true,
          triggerGitSync: true,
          admin: false,
          installIntegration: false,
        },
      });
      expect(space).not.toHaveProperty('parent');
      expect(space).not.toHaveProperty('language');
      expect(space).not.toHaveProperty('deletedAt');
    }
  });

  it('has one empty page, named like the space, which is the landing page', async ({
    api,
    reader,
    create,
  }) => {
    const { body: space } = await create({ title: 'Handbook Ünë' });
    const { body } = await api.call('GET', `/v1/spaces/${space.id}/content`, { token: reader.token });
    expect(body).toMatchObject({ id: space.revision, type: 'edits', parents: [], files: [] });
    expect(body.pages).toHaveLength(1);
    expect(body.pages[0]).toMatchObject({
      type: 'document',
      title: 'Handbook Ünë',
      slug: 'readme',
      path: 'readme',
      pages: [],
    });
    const page = await api.call('GET', `/v1/spaces/${space.id}/content/path`, { token: reader.token });
    expect(page.body).toMatchObject({ id: body.pages[0].id, markdown: '' });
  });

  it('keeps the given fields, and refuses unknown ones', async ({ create, get }) => {
    const { body } = await create({ title: '  Kochbuch  ', emoji: '🍲', language: 'de', editMode: 'locked' });
    expect(body).toMatchObject({ title: 'Kochbuch', emoji: '🍲', language: 'de', editMode: 'locked' });
    expect((await create({ unknown: { a: 1 } })).body.error.details).toEqual([
      { path: 'body.unknown', message: 'is not a known field' },
    ]);
    expect((await get({ _id: body.id })).body).toEqual({
      ...body,
      permissions: expect.objectContaining({ view: true, edit: false }),
    });
  });

  it('adds the space to a collection, at the end, with the level of the collection', async ({
    api,
    organization,
    creator,
    create,
    get,
  }) => {
    const parent = await buildCollection(organization, { defaultLevel: null });
    await buildGrant({ collection: parent }, creator, 'create');
    const { body: first } = await create({ title: 'first', parent: parent._id });
    const { body: second } = await create({ title: 'second', parent: parent._id });
    expect(second).toMatchObject({
      parent: parent._id,
      visibility: 'in-collection',
      defaultLevel: null,
      permissions: { edit: true, admin: false },
    });
    const { body } = await api.call('GET', `/v1/collections/${parent._id}/spaces`, { token: creator.token });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
    expect((await get({ _id: second.id })).status).toBe(404);
  });

  it('refuses a parent that is hidden, of another organization, or closed to creation by the caller', async ({
    organization,
    create,
  }) => {
    const parents = [
      await buildCollection(organization, { defaultLevel: null }),
      await buildCollection(organization, { defaultLevel: 'review' }),
      await buildCollection((await buildOrganization()).organization),
    ];
    for (const { _id } of parents) {
      const before = await Space.countDocuments();
      const { status, body } = await create({ parent: _id });
      expect([status, body.error.details[0].path]).toEqual([400, 'body.parent']);
      expect(await Space.countDocuments()).toBe(before);
    }
  });

  it('creates a space without pages when it is to be empty', async ({ api, reader, create }) => {
    const { status, body: space } = await create({ title: 'Nothing', empty: true });
    expect(status).toBe(201);
    const { body } = await api.call('GET', `/v1/spaces/${space.id}/content`, { token: reader.token });
    expect(body).toMatchObject({ id: space.revision, pages: [], files: [], type: 'edits' });
    expect(
      (await api.call('GET', `/v1/spaces/${space.id}/content/path`, { token: reader.token })).status,
    ).toBe(404);
    const { body: other } = await create({ empty: false });
    expect(
      (await api.call('GET', `/v1/spaces/${other.id}/content/pages`, { token: reader.token })).body.pages,
    ).toHaveLength(1);
  });

  it.for(['', '   ', '\u00a0\t'])('calls a space with the title %j Untitled', async (title, { create }) => {
    expect((await create({ title })).body.title).toBe('Untitled');
  });

  it('takes a title of at most 50 characters', async ({ create }) => {
    expect((await create({ title: 'x'.repeat(50) })).body.title).toHaveLength(50);
    expect((await create({ title: 'x'.repeat(51) })).status).toBe(400);
    // Spaces count: a client that checks the length beforehand comes to the same result.
    expect((await create({ title: `${' '.repeat(30)}${'x'.repeat(30)}` })).status).toBe(400);
  });

  it.for([
    '📚',
    '1f4da',
    '1F4DA',
    '❤️',
    '❤',
    '2764',
    '2764-fe0f',
    '👩🏽‍💻',
    '1f469-1f3fd-200d-1f4bb',
    '🇫🇷',
    '1f1eb-1f1f7',
    '#️⃣',
    '23-20e3',
    '🏳️‍🌈',
    '1f3f3-200d-1f308',
    '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    '👨‍👩‍👧‍👦',
    '⛹🏻‍♂️',
    '☝🏽',
  ])('stores the emoji %s unchanged', async (emoji, { create }) => {
    const { status, body } = await create({ emoji });
    expect([status, body.emoji]).toEqual([201, emoji]);
  });

  it.for([
    '',
    'zz',
    'a',
    '#',
    '1',
    '📚📚',
    '1f4da-1f4da',
    'ffffff',
    '110000',
    'd83d',
    '1f4da-',
    'https://example.org/a.png',
    '🏽‍💻',
    ':book:',
    '0'.repeat(60),
    '\ud83d',
  ])('refuses the emoji %j', async (emoji, { create }) => {
    const { status, body } = await create({ emoji });
    expect(status).toBe(400);
    expect(new Set(body.error.details.map(({ path }: { path: string }) => path))).toEqual(
      new Set(['body.emoji']),
    );
  });

  it.for<readonly [field: string, value: unknown, json?: object]>([
    ['title', 5],
    ['title', null],
    ['title', 'a\0b'],
    ['title', '\ud800'],
    ['language', 'xx'],
    ['language', 'DE'],
    ['editMode', 'open'],
    ['parent', 'nothing'],
    ['parent', 7],
    ['template.id', undefined, { template: { id: 'nothing' } }],
    ['template.id', undefined, { template: {} }],
    ['computedSource', { type: 'builtin:openapi' }],
    ['empty', 'yes'],
  ])('refuses %s = %j and makes nothing', async ([field, value, json = { [field]: value }], { create }) => {
    const before = await Space.countDocuments();
    const { status, body } = await create(json);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 400,
      type: 'invalid_request',
      details: [{ path: `body.${field}`, message: expect.any(String) }],
    });
    expect(await Space.countDocuments()).toBe(before);
  });

  it('reports every problem of a request at once', async ({ create }) => {
    const { body } = await create({ title: 'x'.repeat(51), emoji: 'zz', language: 'xx', editMode: 'x' });
    expect(body.error.details.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'body.editMode',
      'body.emoji',
      'body.language',
      'body.title',
    ]);
  });

  it.for([
    ['a list', [], 400],
    ['null', null, 400],
    ['a number', 5, 400],
  ] as const)('refuses %s as body', async ([, json, status], { create }) => {
    expect((await create(json)).status).toBe(status);
  });

  it('refuses other media types and bodies that are too large', async ({ api, organization, creator }) => {
    const path = `/v1/orgs/${organization._id}/spaces`;
    expect(
      (
        await api.call('POST', path, {
          token: creator.token,
          body: '{}',
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
    expect(
      (await api.call('POST', path, { token: creator.token, json: { x: 'x'.repeat(1024 * 1024) } })).status,
    ).toBe(413);
    expect(
      (
        await api.call('POST', path, {
          token: creator.token,
          body: '{"title":',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(400);
  });

  it('refuses unknown fields, including __proto__ and constructor', async ({
    api,
    organization,
    creator,
  }) => {
    const body =
      '{"title":"a","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"organization":"other","id":"x","permissions":{"admin":true}}';
    const answer = await api.call('POST', `/v1/orgs/${organization._id}/spaces`, {
      token: creator.token,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('unknown fields');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('is refused to members who may not create, and hidden from other organizations', async ({
    api,
    organization,
    creator,
    reader,
    create,
  }) => {
    const outsider = (await buildOrganization()).admin;
    expect((await create({}, reader)).status).toBe(403);
    expect((await create({}, await buildMember(organization, 'review'))).status).toBe(403);
    expect((await create({}, await buildMember(organization, null))).status).toBe(403);
    expect((await create({}, outsider)).status).toBe(404);
    expect(
      (await api.call('POST', '/v1/orgs/nothing/spaces', { token: creator.token, json: {} })).status,
    ).toBe(404);
  });
});
