import { connectRedis, openSecret, type SealedSecret } from '@bindery/runtime';
import {
  sealedSecretOf,
  Space,
  WebhookDelivery,
  WebhookEndpoint,
  webhookSealContext,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import { startApp } from '../../support/processes/appProcess.ts';
import { dumpRedis, findCollectionsWith } from '../../support/stores/dumpStores.ts';
import { buildMember, buildOrganization, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { sentTwice } from '../../support/http/sentTwice.ts';

const target = 'https://hooks.example.org/in?a=b';

const secretShape = /^whsec_[A-Za-z0-9+/]{43}=$/;

async function recordOf({ id }: { id: string }): Promise<WebhookEndpointRecord> {
  const record = await WebhookEndpoint.findById(id).lean<WebhookEndpointRecord>();
  if (!record) throw new Error(`The webhook ${id} is gone.`);
  return record;
}

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_OUTBOUND_ALLOW: 'hooks.internal:8443' })
  .extend('others', { scope: 'file' }, async ({ organization }) => [
    await buildMember(organization, 'create'),
    await buildMember(organization, 'read'),
    await buildMember(organization, null),
  ])
  .extend('elsewhere', { scope: 'file' }, ({ api: _started }) => buildOrganization())
  .extend(
    'url',
    ({ organization }) =>
      (webhook?: { id: string }, more = '') =>
        `/v1/orgs/${organization._id}/webhooks${webhook ? `/${webhook.id}${more}` : ''}`,
  )
  .extend(
    'create',
    ({ api, admin, url }) =>
      (json: unknown, { token } = admin) =>
        api.call('POST', url(), { token, json }),
  )
  .extend(
    'get',
    ({ api, admin, url }) =>
      (webhook: { id: string }, { token } = admin) =>
        api.call('GET', url(webhook), { token }),
  )
  .extend(
    'patch',
    ({ api, admin, url }) =>
      (webhook: { id: string }, json?: unknown, { token } = admin, headers = {}) =>
        api.call('PATCH', url(webhook), { token, headers, ...(json !== undefined && { json }) }),
  )
  .extend(
    'rotate',
    ({ api, admin, url }) =>
      (webhook: { id: string }, { token } = admin) =>
        api.call('POST', url(webhook, '/secret'), { token }),
  )
  .extend(
    'remove',
    ({ api, admin, url }) =>
      (webhook: { id: string }, { token } = admin) =>
        api.call('DELETE', url(webhook), { token }),
  )
  /** One more, with room made for it. */
  .extend(
    'build',
    ({ organization, create }) =>
      async (fields: object = {}): Promise<{ id: string; secret: string; [field: string]: unknown }> => {
        const count = await WebhookEndpoint.countDocuments({ organization: organization._id });
        if (count > 15) await WebhookEndpoint.deleteMany({ organization: organization._id });
        const { status, body } = await create({ url: target, ...fields });
        expect(status).toBe(201);
        return body;
      },
  )
  .extend(
    'opened',
    ({ api }) =>
      (sealed: SealedSecret, { id }: { id: string }) =>
        openSecret(api.config.secrets, sealedSecretOf(sealed), webhookSealContext(id)),
  );

describe('POST /v1/orgs/{organizationId}/webhooks', () => {
  it('creates a webhook for all events, and shows its secret', async ({
    api,
    admin,
    url,
    create,
    opened,
  }) => {
    const { status, body } = await create({ url: target });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'webhook',
      id: expect.any(String),
      url: target,
      events: [],
      spaces: [],
      enabled: true,
      secret: expect.stringMatching(secretShape),
      createdBy: admin.user._id,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
      urls: { location: `http://api.test${url(body)}` },
    });
    const { secret: _secret, ...rest } = body;
    expect((await api.call('GET', body.urls.location, { token: admin.token })).body).toEqual(rest);
    expect(opened((await recordOf(body)).secret, body)).toBe(body.secret);
  });

  it('takes every field', async ({ organization, build }) => {
    const space = await buildSpace(organization);
    const fields = {
      url: `https://hooks.example.org/${'x'.repeat(2048 - 26)}`,
      description: 'd'.repeat(256),
      events: ['space_gitsync_completed', 'space_content_updated'],
      spaces: [space._id],
      enabled: false,
    };
    expect(fields.url).toHaveLength(2048);
    const body = await build(fields);
    expect(body).toMatchObject(fields);
    expect((await build({ description: '', events: [], spaces: [] })).description).toBeUndefined();
  });

  it.for([
    'http://hooks.example.org',
    'https://hooks.internal:8443/in',
    'https://93.184.216.34/x',
    'https://hooks.example.org:3000/ä%20',
  ])('keeps the address %s as it is given', async (address, { build }) => {
    expect((await build({ url: address })).url).toBe(address);
  });

  it.for([
    ['a URL that is null', { url: null }],
    ['an empty URL', { url: '' }],
    ['a URL without a scheme', { url: 'hooks.example.org' }],
    ['a URL of 2049 characters', { url: `https://hooks.example.org/${'x'.repeat(2049 - 26)}` }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['a file', { url: 'file:///etc/passwd' }],
    ['a login', { url: 'https://me:canary-login@hooks.example.org/' }],
    ['a user name', { url: 'https://canary-login@hooks.example.org/' }],
    ['a fragment', { url: 'https://hooks.example.org/#part' }],
    ['an empty fragment', { url: 'https://hooks.example.org/#' }],
    ['a line break', { url: 'https://hooks.example.org/\nx' }],
    ['a blank at the end', { url: 'https://hooks.example.org/ ' }],
    ['this machine', { url: 'http://localhost:8080/' }],
    ['this machine by its address', { url: 'http://127.0.0.1:8080/' }],
    ['this machine in another notation', { url: 'http://0x7f.1/' }],
    ['this machine in IPv6', { url: 'http://[::ffff:127.0.0.1]/' }],
    ['a private network', { url: 'https://10.0.0.5/' }],
    ['the metadata of a cloud', { url: 'http://169.254.169.254/latest/meta-data' }],
    ['a port that is not for the web', { url: 'https://hooks.example.org:22/' }],
    ['another port of what is listed', { url: 'https://hooks.internal:22/' }],
    ['a description of 257 characters', { description: 'd'.repeat(257) }],
    ['a description with NUL', { description: 'a\0' }],
    ['events that are a word', { events: 'space_content_updated' }],
    ['an event that is none', { events: ['page_feedback'] }],
    ['a ping, which is sent when it is asked for', { events: ['ping'] }],
    ['an event twice', { events: ['space_content_updated', 'space_content_updated'] }],
    ['a space that is none', { spaces: ['nothing'] }],
    ['101 spaces', { spaces: Array.from({ length: 101 }, (_, i) => `s${i}`) }],
    ['spaces that are null', { spaces: null }],
    ['enabled as a word', { enabled: 'true' }],
  ] as const)('refuses %s, and so does PATCH', async ([, fields], { create, get, patch, build }) => {
    const { secret: _secret, ...webhook } = await build();
    const before = await WebhookEndpoint.countDocuments();
    for (const { status, body, text } of [
      await create({ url: target, ...fields }),
      await patch(webhook, fields),
    ]) {
      expect(status).toBe(400);
      expect(body.error.details[0].path).toMatch(new RegExp(`^body\\.${Object.keys(fields)[0]}\\b`));
      expect(text).not.toContain('canary-login');
    }
    expect(await WebhookEndpoint.countDocuments()).toBe(before);
    expect((await get(webhook)).body).toEqual(webhook);
  });

  it('refuses spaces of other organizations, deleted spaces, and a space named twice', async ({
    organization,
    elsewhere,
    create,
  }) => {
    const [own, deleted, foreign] = [
      await buildSpace(organization),
      await buildSpace(organization),
      await buildSpace(elsewhere.organization),
    ];
    await Space.updateOne({ _id: deleted._id }, { $set: { isDeleted: true, deletedAt: new Date() } });
    for (const spaces of [[foreign._id], [own._id, foreign._id], [deleted._id], [own._id, own._id]])
      expect((await create({ url: target, spaces })).body.error.details[0].path).toBe('body.spaces');
  });

  it('refuses an invalid body, and a body without the URL', async ({ api, admin, url, create }) => {
    for (const json of [[], 'x', null, 5, {}, { description: 'No URL' }, { url: target, description: null }])
      expect((await create(json)).status).toBe(400);
    expect((await api.call('POST', url(), { token: admin.token })).status).toBe(400);
  });

  it('is carried out once for one Idempotency-Key, and repeats the secret in the answer', async ({
    api,
    organization,
    admin,
    url,
    build,
  }) => {
    await build();
    const count = await WebhookEndpoint.countDocuments({ organization: organization._id });
    const { body } = await sentTwice(api, 'POST', url(), { token: admin.token, json: { url: target } });
    expect(body.secret).toMatch(secretShape);
    expect(await WebhookEndpoint.countDocuments({ organization: organization._id })).toBe(count + 1);
    expect(await findCollectionsWith(body.secret)).toEqual([]);
  });
});

it(
  'an organization has at most 20 webhooks, also when two processes make 30 at once',
  { timeout: 60_000 },
  async ({ api, build }) => {
    const other = await startApp('api', { ...process.env, PORT: '0' });
    const { organization: full, admin: boss } = await buildOrganization();
    const path = `/v1/orgs/${full._id}/webhooks`;
    const make = async (origin = api.origin) => {
      const headers = { authorization: `Bearer ${boss.token}`, 'content-type': 'application/json' };
      const response = await fetch(origin + path, {
        method: 'POST',
        headers,
        body: JSON.stringify({ url: target }),
      });
      return { status: response.status, text: await response.text() };
    };
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => make(i % 2 ? api.origin : `http://127.0.0.1:${other.port}`)),
    );
    other.signal('SIGTERM');
    await other.ended;
    const answered = (code: number) => answers.filter(({ status }) => status === code).length;
    expect([answered(201), answered(409)]).toEqual([20, 10]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain(
      'An organization has at most 20 webhooks.',
    );
    const { body } = await api.call('GET', path, { token: boss.token });
    expect(body.count).toBe(20);
    // Those of others do not count, and who deletes one has room for another.
    await build();
    await api.call('DELETE', `${path}/${body.items[0].id}`, { token: boss.token });
    expect([(await make()).status, (await make()).status]).toEqual([201, 409]);
  },
);

describe('GET /v1/orgs/{organizationId}/webhooks', () => {
  it('lists them, newest first, page by page and without secrets', async ({ api }) => {
    const { organization: own, admin: boss } = await buildOrganization();
    const path = `/v1/orgs/${own._id}/webhooks`;
    const made = [];
    for (const description of ['a', 'b', 'c'])
      made.unshift(
        (await api.call('POST', path, { token: boss.token, json: { url: target, description } })).body,
      );
    const { body, text } = await api.call('GET', `${path}?limit=2`, { token: boss.token });
    expect([body.count, body.items]).toEqual([
      3,
      made.slice(0, 2).map(({ secret: _secret, ...rest }) => rest),
    ]);
    const rest = await api.call('GET', `${path}?limit=2&page=${body.next.page}`, { token: boss.token });
    expect([rest.body.next, rest.body.items.map(({ id }: { id: string }) => id)]).toEqual([
      undefined,
      [made[2].id],
    ]);
    expect(text + rest.text).not.toContain('whsec_');
  });

  it('shows why a webhook is switched off', async ({ get, build }) => {
    const webhook = await build();
    const failingSince = new Date('2026-01-01T00:00:00Z');
    await WebhookEndpoint.updateOne(
      { _id: webhook.id },
      { $set: { isEnabled: false, disabledReason: 'failing', failingSince } },
    );
    expect((await get(webhook)).body).toMatchObject({
      enabled: false,
      disabledReason: 'failing',
      failingSince: '2026-01-01T00:00:00.000Z',
    });
  });
});

describe('PATCH /v1/orgs/{organizationId}/webhooks/{webhookId}', () => {
  it('changes the given fields, and clears a description with null', async ({
    organization,
    patch,
    build,
    opened,
  }) => {
    const space = await buildSpace(organization);
    const { secret, ...webhook } = await build({ description: 'Old' });
    const changed = {
      url: 'https://other.example.org/',
      events: ['space_visibility_updated'],
      spaces: [space._id],
      enabled: false,
    };
    const { body } = await patch(webhook, changed);
    for (const json of [{ secret: 'whsec_AAAA' }, { createdBy: 'x' }, { version: 9 }])
      expect((await patch(webhook, json)).status).toBe(400);
    expect(body).toEqual({ ...webhook, ...changed, updatedAt: expect.any(String) });
    expect(body.updatedAt > String(webhook['updatedAt'])).toBe(true);
    expect(opened((await recordOf(webhook)).secret, webhook)).toBe(secret);
    expect((await patch(webhook, { description: null })).body).not.toHaveProperty('description');
    expect((await patch(webhook, { events: [], spaces: [] })).body).toMatchObject({
      events: [],
      spaces: [],
      url: changed.url,
    });
  });

  it('changes nothing without a field', async ({ patch, build }) => {
    const { secret: _secret, ...webhook } = await build();
    for (const json of [{}, undefined]) expect((await patch(webhook, json)).body).toEqual(webhook);
  });

  it('resets the failure state when it is switched on or off, or gets another URL', async ({
    patch,
    build,
  }) => {
    const webhook = await build();
    const fail = () =>
      WebhookEndpoint.updateOne(
        { _id: webhook.id },
        { $set: { isEnabled: false, disabledReason: 'gone', failingSince: new Date() } },
      );
    const shown = async (json: object) => {
      await fail();
      const { enabled, disabledReason, failingSince } = (await patch(webhook, json)).body;
      return { enabled, disabledReason, isFailing: failingSince !== undefined };
    };
    expect(await shown({ enabled: true })).toEqual({ enabled: true, isFailing: false });
    expect(await shown({ enabled: false })).toEqual({ enabled: false, isFailing: true });
    expect(await shown({ description: 'x' })).toEqual({
      enabled: false,
      disabledReason: 'gone',
      isFailing: true,
    });
    expect(await shown({ url: target })).toEqual({ enabled: false, disabledReason: 'gone', isFailing: true });
    expect(await shown({ url: 'https://new.example.org/' })).toEqual({
      enabled: false,
      disabledReason: 'gone',
      isFailing: false,
    });
  });

  it('keeps a deleted space that it already has, but takes no other deleted space', async ({
    organization,
    patch,
    build,
  }) => {
    const [kept, gone] = [await buildSpace(organization), await buildSpace(organization)];
    const webhook = await build({ spaces: [gone._id] });
    await Space.deleteOne({ _id: gone._id });
    expect((await patch(webhook, { spaces: [gone._id, kept._id] })).body.spaces).toEqual([
      gone._id,
      kept._id,
    ]);
    expect((await patch(webhook, { spaces: [kept._id] })).status).toBe(200);
    expect((await patch(webhook, { spaces: [gone._id] })).status).toBe(400);
  });

  it('changes only the state that If-Match names', async ({ admin, get, patch, build }) => {
    const webhook = await build();
    const etag = (await get(webhook)).headers.get('etag') ?? '';
    expect((await patch(webhook, { description: 'First' }, admin, { 'if-match': etag })).status).toBe(200);
    for (const json of [{ description: 'Second' }, {}])
      expect((await patch(webhook, json, admin, { 'if-match': etag })).status).toBe(412);
    expect((await get(webhook)).body.description).toBe('First');
  });

  it('keeps the changes of two requests to different fields at once', async ({ get, patch, build }) => {
    const webhook = await build();
    const answers = await Promise.all([
      patch(webhook, { description: 'New' }),
      patch(webhook, { events: ['space_content_updated'] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await get(webhook)).body).toMatchObject({
      description: 'New',
      events: ['space_content_updated'],
    });
  });
});

describe('POST /v1/orgs/{organizationId}/webhooks/{webhookId}/secret', () => {
  it('creates a new secret, and keeps the previous one for a day', async ({ get, rotate, build, opened }) => {
    const { secret: first, ...webhook } = await build();
    const { status, body } = await rotate(webhook);
    const { secret: second, previousSecretExpiresAt, ...rest } = body;
    expect([status, rest]).toEqual([200, { ...webhook, updatedAt: expect.any(String) }]);
    expect(second).toMatch(secretShape);
    expect(second).not.toBe(first);
    expect(new Date(previousSecretExpiresAt).getTime() - new Date(body.updatedAt).getTime()).toBe(
      24 * 60 * 60 * 1000,
    );
    const record = await recordOf(webhook);
    expect(opened(record.secret, webhook)).toBe(second);
    expect(opened(record.previousSecret?.sealed as SealedSecret, webhook)).toBe(first);
    expect((await get(webhook)).body).toEqual({ ...rest, previousSecretExpiresAt });
    await WebhookEndpoint.updateOne(
      { _id: webhook.id },
      { $set: { 'previousSecret.expiresAt': new Date(Date.now() - 1) } },
    );
    expect((await get(webhook)).body).toEqual(rest);
  });

  it('keeps the last two secrets of several rotations at once', async ({ rotate, build, opened }) => {
    const webhook = await build();
    const secrets = (await Promise.all(Array.from({ length: 5 }, () => rotate(webhook)))).map(
      ({ body }) => body.secret,
    );
    expect(new Set(secrets).size).toBe(5);
    const record = await recordOf(webhook);
    const kept = [
      opened(record.secret, webhook),
      opened(record.previousSecret?.sealed as SealedSecret, webhook),
    ];
    expect(new Set(kept).size).toBe(2);
    for (const secret of kept) expect(secrets).toContain(secret);
    expect(record.version).toBe(6);
  });

  it('is carried out once for one Idempotency-Key', async ({ api, admin, url, build, opened }) => {
    const webhook = await build();
    const { body } = await sentTwice(api, 'POST', url(webhook, '/secret'), { token: admin.token });
    const record = await recordOf(webhook);
    expect([opened(record.secret, webhook), record.version]).toEqual([body.secret, 2]);
  });

  it('seals the secret for its own webhook only', async ({ build, opened }) => {
    const [webhook, other] = [await build(), await build()];
    const { secret } = await recordOf(webhook);
    expect(() => opened(secret, other)).toThrow(/auth/i);
  });
});

describe('DELETE /v1/orgs/{organizationId}/webhooks/{webhookId}', () => {
  it('removes the webhook with its deliveries only; a repeat changes nothing', async ({
    api,
    admin,
    url,
    get,
    remove,
    build,
  }) => {
    const [webhook, kept] = [await build(), await build()];
    for (const one of [webhook, webhook, kept])
      expect((await api.call('POST', url(one, '/ping'), { token: admin.token })).status).toBe(201);
    for (let i = 0; i < 2; i += 1) expect((await remove(webhook)).status).toBe(204);
    expect((await get(webhook)).status).toBe(404);
    expect(await WebhookDelivery.countDocuments({ endpoint: webhook.id })).toBe(0);
    expect(await WebhookDelivery.countDocuments({ endpoint: kept.id })).toBe(1);
    expect((await api.call('GET', url(webhook, '/deliveries'), { token: admin.token })).status).toBe(404);
  });
});

it('webhooks are for admins, and only of their organization', async ({
  api,
  others,
  elsewhere,
  url,
  get,
  build,
}) => {
  const webhook = await build();
  const calls: [string, string, unknown?][] = [
    ['GET', url()],
    ['POST', url(), { url: target }],
    ['GET', url(webhook)],
    ['PATCH', url(webhook), { description: 'x' }],
    ['POST', url(webhook, '/secret')],
    ['POST', url(webhook, '/ping')],
    ['GET', url(webhook, '/deliveries')],
    ['DELETE', url(webhook)],
  ];
  for (const [method, path, json] of calls) {
    const ask = async (token: string | null) =>
      (await api.call(method, path, { token, ...(json !== undefined && { json }) })).status;
    for (const { token } of others) expect([method, path, await ask(token)]).toEqual([method, path, 403]);
    expect([method, path, await ask(elsewhere.admin.token)]).toEqual([method, path, 404]);
    expect([method, path, await ask(null)]).toEqual([method, path, 401]);
  }
  const { secret: _secret, ...rest } = webhook;
  expect((await get(webhook)).body).toEqual(rest);
  const wrongPath = `/v1/orgs/${elsewhere.organization._id}/webhooks/${webhook.id}`;
  expect((await api.call('GET', wrongPath, { token: elsewhere.admin.token })).status).toBe(404);
  expect((await api.call('POST', `${wrongPath}/secret`, { token: elsewhere.admin.token })).status).toBe(404);
  expect((await api.call('DELETE', wrongPath, { token: elsewhere.admin.token })).status).toBe(204);
  expect((await get(webhook)).status).toBe(200);
});

it('no secret is stored in plain text or logged', async ({ api, rotate, build }) => {
  const webhook = await build();
  const { body } = await rotate(webhook);
  const redis = connectRedis(api.config, 'worker');
  const inRedis = await dumpRedis(redis);
  redis.disconnect();
  for (const secret of [webhook.secret, body.secret]) {
    const bytes = secret.slice('whsec_'.length);
    expect(await findCollectionsWith(bytes)).toEqual([]);
    expect(inRedis).not.toContain(bytes);
    expect(api.logLines.join('\n')).not.toContain(bytes);
  }
});
