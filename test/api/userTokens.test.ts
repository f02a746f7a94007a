import { ApiToken } from '@bindery/models';
import { describe, expect } from 'vitest';
import { findCollectionsWith } from '../support/dumpStores.ts';
import { buildToken, buildUser } from '../support/factories.ts';
import { it as base } from '../support/it.ts';

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

  it('ends when it was told to', async ({ list, create, whoIs }) => {
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

  it('makes tokens of the caller only, and keeps none for a second answer', async ({ api, user }) => {
    const other = await buildUser();
    const json = { label: 'Mine', user: other.user._id, token: 'bnd_chosen', id: 'x' };
    const send = () => api.call('POST', '/v1/user/tokens', { token: user.token, json, headers: { 'Idempotency-Key': 'once' } });
    const [first, second] = [await send(), await send()];
    expect(await ApiToken.findById(first.body.id).lean()).toMatchObject({ user: user.user._id });
    expect(first.body.token).not.toBe(second.body.token);
  });
});

describe('GET /v1/user/tokens', () => {
  it('lists the own tokens, newest first, in pages, without the tokens', async ({ list, create }) => {
    const own = await buildUser();
    const ids = [own.tokenId];
    for (let i = 0; i < 3; i += 1) ids.unshift((await create({ label: `T${i}` }, own.token)).body.id);
    const first = await list('?limit=3', own.token);
    expect(first.body.count).toBe(4);
    const second = await list(`?limit=3&page=${first.body.next.page}`, own.token);
    const items = [...first.body.items, ...second.body.items];
    expect(items.map(({ id }) => id)).toEqual(ids);
    expect(items.at(-1)).toEqual({ id: own.tokenId, label: 'Test', createdAt: expect.any(String), lastUsedAt: expect.any(String) });
    expect(first.text + second.text).not.toMatch(/bnd_|hash/);
    expect((await list(`?page=${first.body.next.page}`)).status).toBe(400);
  });
});

describe('DELETE /v1/user/tokens/{tokenId}', () => {
  it('makes a token stop working at once, also the one that is used', async ({ list, revoke, whoIs }) => {
    const own = await buildUser();
    const { token, tokenId } = await buildToken(own.user);
    expect((await revoke(tokenId, own.token)).status).toBe(204);
    expect(await whoIs(token)).toBe(401);
    expect((await list('', own.token)).body.items.map(({ id }: { id: string }) => id)).toEqual([own.tokenId]);
    expect((await revoke(tokenId, own.token)).status).toBe(204);
    expect((await revoke(own.tokenId, own.token)).status).toBe(204);
    expect(await whoIs(own.token)).toBe(401);
  });

  it('answers 204 for a token of somebody else, which goes on working', async ({ revoke, whoIs }) => {
    const other = await buildUser();
    for (const id of [other.tokenId, 'nothing', '%00']) expect((await revoke(id)).status).toBe(204);
    expect(await whoIs(other.token)).toBe(200);
  });
});
