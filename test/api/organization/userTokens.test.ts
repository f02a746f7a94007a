import { ApiToken } from '@bindery/models';
import { describe, expect } from 'vitest';
import { findCollectionsWith } from '../../support/stores/dumpStores.ts';
import { buildOrganization, buildSpace, buildToken, buildUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('user', { scope: 'file' }, ({ api: _started }) => buildUser())
  .extend(
    'list',
    ({ api, user }) =>
      (query = '', token = user.token) =>
        api.call('GET', `/v1/user/tokens${query}`, { token }),
  )
  .extend(
    'create',
    ({ api, user }) =>
      (json: unknown, token = user.token) =>
        api.call('POST', '/v1/user/tokens', { token, json }),
  )
  .extend(
    'revoke',
    ({ api, user }) =>
      (id: string, token = user.token) =>
        api.call('DELETE', `/v1/user/tokens/${id}`, { token }),
  )
  .extend(
    'whoIs',
    ({ api }) =>
      async (token: string) =>
        (await api.call('GET', '/v1/user', { token })).status,
  );

describe('POST /v1/user/tokens', () => {
  it('makes a token that works, and shows it once', async ({ api, user, list, create }) => {
    const { status, body, headers } = await create({ label: ' Laptop ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      label: 'Laptop',
      createdAt: expect.stringMatching(/Z$/),
      token: expect.stringMatching(/^bnd_\w{50}$/),
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await api.call('GET', '/v1/user', { token: body.token })).body.id).toBe(user.user._id);
    const listed = await list();
    expect(listed.body.items[0]).toMatchObject({ id: body.id, label: 'Laptop' });
    expect(listed.text).not.toContain(body.token);
    expect(await findCollectionsWith(body.token)).toEqual([]);
    expect(api.logLines.join('\n')).not.toContain(body.token);
  });

  it('creates a token that stops working when it expires', async ({ list, create, whoIs }) => {
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { body } = await create({ label: 'Short', expiresAt });
    expect(body.expiresAt).toBe(expiresAt);
    expect(await whoIs(body.token)).toBe(200);
    await ApiToken.updateOne({ _id: body.id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(await whoIs(body.token)).toBe(401);
    // It is still there to be looked at and removed.
    expect((await list('?limit=1000')).body.items.map(({ id }: { id: string }) => id)).toContain(body.id);
    const zoned = await create({ label: 'Zoned', expiresAt: '2040-01-02T03:04:05+02:00' });
    expect(zoned.body.expiresAt).toBe('2040-01-02T01:04:05.000Z');
  });

  it.for([
    [undefined, 'label'],
    [{}, 'label'],
    [{ label: '' }, 'label'],
    [{ label: '   ' }, 'label'],
    [{ label: 'x'.repeat(51) }, 'label'],
    [{ label: 'a\0' }, 'label'],
    [{ label: 5 }, 'label'],
    [{ label: 'a', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ label: 'a', expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ label: 'a', expiresAt: '2040-13-01T00:00:00Z' }, 'expiresAt'],
    [{ label: 'a', expiresAt: '2040-01-01' }, 'expiresAt'],
    [{ label: 'a', expiresAt: 4_000_000_000 }, 'expiresAt'],
    [{ label: 'a', expiresAt: null }, 'expiresAt'],
  ] as const)('refuses %j', async ([json, field], { user, create }) => {
    const before = await ApiToken.countDocuments({ user: user.user._id });
    const { status, body } = await create(json);
    expect([status, body.error.details[0].path]).toEqual([400, `body.${field}`]);
    expect(await ApiToken.countDocuments({ user: user.user._id })).toBe(before);
  });

  it('creates tokens of the caller only, and stores none for a repeated request', async ({
    api,
    user,
    create,
  }) => {
    const other = await buildUser();
    for (const field of [{ user: other.user._id }, { token: 'bnd_chosen' }, { id: 'x' }])
      expect((await create({ label: 'Mine', ...field })).status).toBe(400);
    const json = { label: 'Mine' };
    const send = () =>
      api.call('POST', '/v1/user/tokens', {
        token: user.token,
        json,
        headers: { 'Idempotency-Key': 'once' },
      });
    const [first, second] = [await send(), await send()];
    expect(await ApiToken.findById(first.body.id).lean()).toMatchObject({ user: user.user._id });
    expect(first.body.token).not.toBe(second.body.token);
  });
});

describe('GET /v1/user/tokens', () => {
  it('lists the tokens of the caller, newest first, in pages, without their values', async ({
    list,
    create,
  }) => {
    const own = await buildUser();
    const ids = [own.tokenId];
    for (let i = 0; i < 3; i += 1) ids.unshift((await create({ label: `T${i}` }, own.token)).body.id);
    const first = await list('?limit=3', own.token);
    expect(first.body.count).toBe(4);
    const second = await list(`?limit=3&page=${first.body.next.page}`, own.token);
    const items = [...first.body.items, ...second.body.items];
    expect(items.map(({ id }) => id)).toEqual(ids);
    expect(items.at(-1)).toEqual({
      id: own.tokenId,
      label: 'Test',
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
    });
    expect(first.text + second.text).not.toMatch(/bnd_|hash/);
    expect((await list(`?page=${first.body.next.page}`)).status).toBe(400);
  });
});

describe('DELETE /v1/user/tokens/{tokenId}', () => {
  it('revokes a token at once, also the one in use', async ({ list, revoke, whoIs }) => {
    const own = await buildUser();
    const { token, tokenId } = await buildToken(own.user);
    expect((await revoke(tokenId, own.token)).status).toBe(204);
    expect(await whoIs(token)).toBe(401);
    expect((await list('', own.token)).body.items.map(({ id }: { id: string }) => id)).toEqual([own.tokenId]);
    expect((await revoke(tokenId, own.token)).status).toBe(204);
    expect((await revoke(own.tokenId, own.token)).status).toBe(204);
    expect(await whoIs(own.token)).toBe(401);
  });

  it('answers 204 for a token of another user, which stays valid', async ({ revoke, whoIs }) => {
    const other = await buildUser();
    for (const id of [other.tokenId, 'nothing', '%00']) expect((await revoke(id)).status).toBe(204);
    expect(await whoIs(other.token)).toBe(200);
  });
});

describe('a token with less access than its user', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  it('is made with scopes, organizations and spaces, and shows them', async ({
    admin,
    organization,
    space,
    create,
    list,
  }) => {
    const limits = {
      scopes: ['write', 'read', 'read'],
      organizations: [organization._id],
      spaces: [space._id],
    };
    const { status, body } = await create({ label: 'CI', ...limits }, admin.token);
    const shown = { scopes: ['read', 'write'], organizations: [organization._id], spaces: [space._id] };
    expect([status, body]).toEqual([201, expect.objectContaining(shown)]);
    expect((await list('', admin.token)).body.items[0]).toMatchObject(shown);
    // It sees itself, not the other tokens of its user.
    expect((await list('', body.token)).body.items.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  });

  it.for<[string, object]>([
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['reed'] }],
    ['a scope that is no list', { scopes: 'read' }],
    ['no organization', { organizations: [] }],
    ['an organization of others', { organizations: ['unknown'] }],
    ['no space', { spaces: [] }],
    ['a space that nobody has', { spaces: ['unknown'] }],
    ['a misspelt end', { expires_at: '2030-01-01T00:00:00Z' }],
    ['a misspelt scope', { scope: ['read'] }],
  ])('is refused with %s', async ([, fields], { admin, create, list }) => {
    const before = (await list('', admin.token)).body.count;
    expect((await create({ label: 'CI', ...fields }, admin.token)).status).toBe(400);
    expect((await list('', admin.token)).body.count).toBe(before);
  });

  it('is refused with a suggestion for a misspelled scope or field', async ({ create }) => {
    const { body } = await create({ label: 'CI', scopes: ['reed'] });
    expect(body.error.details).toEqual([
      {
        path: 'body.scopes[0]',
        message: 'must be one of `read`, `write`, `jobs`, `admin`; did you mean `read`?',
      },
    ]);
    expect((await create({ label: 'CI', expires_at: inAnHour() })).body.error.details).toEqual([
      { path: 'body.expires_at', message: 'is not a known field; did you mean `expiresAt`?' },
    ]);
  });

  it('creates no token with more permissions, more reach or a later expiry', async ({
    admin,
    organization,
    space,
    outsider,
    create,
  }) => {
    const expiresAt = inAnHour();
    const parent = (
      await create(
        { label: 'Parent', scopes: ['admin'], organizations: [organization._id], expiresAt },
        admin.token,
      )
    ).body;
    // Omitted fields are as in the parent.
    expect((await create({ label: 'Same' }, parent.token)).body).toMatchObject({
      scopes: ['admin'],
      organizations: [organization._id],
      expiresAt,
    });
    const narrower = (await create({ label: 'Less', scopes: ['jobs'], spaces: [space._id] }, parent.token))
      .body;
    expect(narrower).toMatchObject({ scopes: ['jobs'], spaces: [space._id], expiresAt });
    expect(narrower).not.toHaveProperty('organizations');
    const elsewhere = await buildSpace((await buildOrganization()).organization);
    for (const more of [
      { expiresAt: new Date(Date.parse(expiresAt) + 1_000).toISOString() },
      { organizations: [elsewhere.organization] },
      { spaces: [elsewhere._id] },
    ])
      expect((await create({ label: 'More', ...more }, parent.token)).status).toBe(400);
    for (const scope of ['read', 'write', 'jobs']) {
      const { body } = await create({ label: scope, scopes: [scope] }, admin.token);
      for (const fields of [{}, { scopes: [scope] }, { scopes: ['admin'] }])
        expect((await create({ label: 'Child', ...fields }, body.token)).status).toBe(403);
    }
    expect(
      (await create({ label: 'Narrow', scopes: ['admin'], spaces: [space._id] }, outsider.token)).status,
    ).toBe(400);
  });

  it('is revoked with the token that created it', async ({ admin, organization, create, revoke, whoIs }) => {
    const make = async (token: string, fields: object = {}) =>
      (await create({ label: 'A', ...fields }, token)).body;
    const parent = await make(admin.token, { organizations: [organization._id] });
    const child = await make(parent.token);
    const grandchild = await make(child.token);
    // A narrowed one revokes those that it made, no others.
    const sibling = await make(admin.token);
    await revoke(sibling.id, child.token);
    await revoke(parent.id, child.token);
    expect(await Promise.all([sibling, parent, child, grandchild].map(({ token }) => whoIs(token)))).toEqual([
      200, 200, 200, 200,
    ]);
    await revoke(parent.id, admin.token);
    expect(await Promise.all([parent, child, grandchild].map(({ token }) => whoIs(token)))).toEqual([
      401, 401, 401,
    ]);
    // One without limits is as good as its user: what it made stays, so that it can be replaced by another
    // one.
    const successor = await make(sibling.token);
    await revoke(sibling.id, admin.token);
    expect([await whoIs(sibling.token), await whoIs(successor.token)]).toEqual([401, 200]);
  });

  it('leaves no token behind when it is revoked while it creates one', async ({
    admin,
    create,
    revoke,
    whoIs,
  }) => {
    for (let round = 0; round < 10; round += 1) {
      const parent = (await create({ label: 'Parent', scopes: ['admin'] }, admin.token)).body;
      const [made] = await Promise.all([
        create({ label: 'Child' }, parent.token),
        revoke(parent.id, admin.token),
      ]);
      if (made.status === 201) expect(await whoIs(made.body.token)).toBe(401);
      else expect(made.status).toBe(401);
    }
  });

  it('has all permissions when it was created before scopes existed', async ({
    api,
    admin,
    organization,
  }) => {
    const { tokenId, token } = await buildToken(admin.user);
    await ApiToken.collection.updateOne({ _id: tokenId } as never, {
      $unset: { scopes: 1, organizations: 1, spaces: 1, ancestors: 1 },
    });
    const { status } = await api.call('PATCH', `/v1/orgs/${organization._id}`, {
      token,
      json: { title: 'Renamed' },
    });
    expect(status).toBe(200);
  });

  it('does not open the dashboard of an operator', async ({ api }) => {
    const operator = await buildUser({ isOperator: true });
    const signIn = async (token: string) =>
      (
        await api.call('POST', '/admin/sign-in', {
          body: new URLSearchParams({ token }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).status;
    const { token } = await buildToken(operator.user, { scopes: ['read'] });
    expect([await signIn(token), await signIn(operator.token)]).toEqual([403, 303]);
  });
});
