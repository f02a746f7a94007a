import { WebhookPayload } from '@bindery/contract';
import {
  insertWebhookDelivery,
  keptWebhookAttempts,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookLane,
  withTransaction,
  type WebhookDeliveryRecord,
  type WebhookLaneRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildOrganization } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { sentTwice } from '../../support/http/sentTwice.ts';

const dayMs = 24 * 60 * 60 * 1000;

async function recordOf({ _id }: { _id: string }): Promise<WebhookDeliveryRecord> {
  const record = await WebhookDelivery.findById(_id).lean<WebhookDeliveryRecord>();
  if (!record) throw new Error(`The delivery ${_id} is gone.`);
  return record;
}

async function laneOf({ lane = '' }: WebhookDeliveryRecord): Promise<WebhookLaneRecord> {
  const record = await WebhookLane.findById(lane).lean<WebhookLaneRecord>();
  if (!record) throw new Error(`The lane ${lane} is gone.`);
  return record;
}

const failed = {
  state: 'failed',
  failedBecause: 'attempts_used_up',
  tries: 10,
  finishedAt: new Date('2026-01-02T00:00:00Z'),
} as const;

const it = base
  .extend('elsewhere', { scope: 'file' }, ({ api: _started }) => buildOrganization())
  .extend('buildWebhook', ({ api, organization, admin }) => async (): Promise<{ id: string }> => {
    const json = { url: 'https://hooks.example.org/', events: ['space_content_updated'] };
    return (await api.call('POST', `/v1/orgs/${organization._id}/webhooks`, { token: admin.token, json }))
      .body;
  })
  .extend('webhook', async ({ buildWebhook }) => {
    await WebhookEndpoint.deleteMany({});
    return buildWebhook();
  })
  .extend(
    'at',
    ({ organization, webhook }) =>
      (path = '', { id } = webhook) =>
        `/v1/orgs/${organization._id}/webhooks/${id}${path}`,
  )
  .extend(
    'call',
    ({ api, admin, at }) =>
      (method: string, path: string, { token } = admin) =>
        api.call(method, at(path), { token }),
  )
  .extend(
    'ping',
    ({ admin, call }) =>
      (who = admin) =>
        call('POST', '/ping', who),
  )
  .extend(
    'show',
    ({ admin, call }) =>
      ({ _id }: { _id: string }, who = admin) =>
        call('GET', `/deliveries/${_id}`, who),
  )
  .extend(
    'redeliver',
    ({ admin, call }) =>
      ({ _id }: { _id: string }, who = admin) =>
        call('POST', `/deliveries/${_id}/redeliver`, who),
  )
  /** As the deliverer leaves one behind. */
  .extend(
    'buildDelivery',
    ({ organization, webhook }) =>
      async (fields: Partial<WebhookDeliveryRecord> = {}): Promise<WebhookDeliveryRecord> => {
        const event = newId();
        const sent = { eventId: event, type: 'space_content_updated', spaceId: 'a space' };
        const delivery = {
          _id: newId(),
          organization: organization._id,
          endpoint: webhook.id,
          event,
          kind: 'space_content_updated' as const,
          space: 'a space',
          isTest: false,
          payload: JSON.stringify(sent),
        };
        await withTransaction((session) => insertWebhookDelivery(delivery, session));
        await WebhookDelivery.updateOne({ _id: delivery._id }, { $set: fields });
        return recordOf(delivery);
      },
  );

describe('POST /v1/orgs/{organizationId}/webhooks/{webhookId}/ping', () => {
  it('sends a test delivery, whatever events the webhook has', async ({
    api,
    organization,
    admin,
    webhook,
    at,
    ping,
  }) => {
    const { status, body } = await ping();
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'webhook-delivery',
      id: expect.any(String),
      webhook: webhook.id,
      event: expect.any(String),
      type: 'ping',
      isTest: true,
      state: 'pending',
      createdAt: expect.stringMatching(/Z$/),
      nextAttemptAt: body.createdAt,
      urls: { location: `http://api.test${at(`/deliveries/${body.id}`)}` },
    });
    const { body: details } = await api.call('GET', body.urls.location, { token: admin.token });
    expect(details).toEqual({ ...body, attempts: [], payload: expect.any(String) });
    const payload = WebhookPayload.parse(JSON.parse(details.payload));
    expect(payload).toEqual(JSON.parse(details.payload));
    expect(payload).toMatchObject({
      type: 'ping',
      eventId: body.event,
      webhookId: webhook.id,
      organizationId: organization._id,
    });
    const record = await recordOf({ _id: body.id });
    expect(record).toMatchObject({ state: 'pending', round: 1, tries: 0 });
    expect(record.expireAt.getTime() - record.createdAt.getTime()).toBe(30 * dayMs);
  });

  it('creates a new test each time, but only one for the same Idempotency-Key', async ({
    api,
    admin,
    webhook,
    at,
    ping,
  }) => {
    const ids = new Set([(await ping()).body.event, (await ping()).body.event]);
    expect(ids.size).toBe(2);
    await sentTwice(api, 'POST', at('/ping'), { token: admin.token });
    expect(await WebhookDelivery.countDocuments({ endpoint: webhook.id })).toBe(3);
  });

  it('is refused while the webhook is switched off', async ({ webhook, ping }) => {
    await WebhookEndpoint.updateOne({ _id: webhook.id }, { $set: { isEnabled: false } });
    const { status, body } = await ping();
    expect([status, body.error.action]).toEqual([409, 'Enable it first: PATCH it with `enabled: true`.']);
    expect(await WebhookDelivery.countDocuments({ endpoint: webhook.id })).toBe(0);
  });

  it('answers 404 for an unknown webhook', async ({ api, organization, admin }) => {
    expect(
      (await api.call('POST', `/v1/orgs/${organization._id}/webhooks/nothing/ping`, { token: admin.token }))
        .status,
    ).toBe(404);
  });
});

describe('GET …/deliveries', () => {
  it('lists the deliveries, newest first, page by page, all or by state', async ({ call, buildDelivery }) => {
    const made: WebhookDeliveryRecord[] = [];
    for (const [i, state] of (['succeeded', 'failed', 'pending', 'failed', 'failed'] as const).entries())
      made.unshift(await buildDelivery({ state, createdAt: new Date(Date.UTC(2026, 0, 1, i)) }));
    const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
    const idsIn = (state: string) =>
      made.filter((delivery) => delivery.state === state).map(({ _id }) => _id);
    const { body } = await call('GET', '/deliveries?limit=3');
    expect([body.count, ids(body)]).toEqual([5, made.slice(0, 3).map(({ _id }) => _id)]);
    const { body: rest } = await call('GET', `/deliveries?limit=3&page=${body.next.page}`);
    expect([rest.next, ids(rest)]).toEqual([undefined, made.slice(3).map(({ _id }) => _id)]);
    for (const state of ['pending', 'succeeded', 'failed']) {
      const { body: some } = await call('GET', `/deliveries?state=${state}`);
      expect([some.count, ids(some)]).toEqual([idsIn(state).length, idsIn(state)]);
    }
    const { body: first } = await call('GET', '/deliveries?state=failed&limit=1');
    const { body: second } = await call('GET', `/deliveries?state=failed&limit=1&page=${first.next.page}`);
    expect([...ids(first), ...ids(second)]).toEqual(idsIn('failed').slice(0, 2));
    expect((await call('GET', `/deliveries?limit=1&page=${first.next.page}`)).status).toBe(400);
  });

  it('shows the deliveries of this webhook only', async ({ api, admin, at, buildWebhook, buildDelivery }) => {
    await buildDelivery();
    const other = await buildWebhook();
    expect((await api.call('GET', at('/deliveries', other), { token: admin.token })).body).toEqual({
      items: [],
      count: 0,
    });
  });

  it.for(['state=done', 'state=', 'state=failed&state=pending', 'limit=1001', 'page=x'])(
    'refuses ?%s',
    async (query, { call }) => {
      const { status, body } = await call('GET', `/deliveries?${query}`);
      expect([status, body.error.details[0].path]).toEqual([400, `query.${query.split('=')[0]}`]);
    },
  );
});

describe('GET …/deliveries/{deliveryId}', () => {
  it('shows the payload and the result of each attempt, by codes only', async ({
    webhook,
    at,
    call,
    show,
    buildDelivery,
  }) => {
    const attempts = [
      { at: new Date('2026-01-01T00:00:00Z'), durationMs: 12, error: 'timeout' },
      { at: new Date('2026-01-01T00:00:05Z'), durationMs: 7, status: 500 },
    ] as WebhookDeliveryRecord['attempts'];
    const delivery = await buildDelivery({ ...failed, attempts });
    const { status, body } = await show(delivery);
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'webhook-delivery',
      id: delivery._id,
      webhook: webhook.id,
      event: delivery.event,
      type: 'space_content_updated',
      space: 'a space',
      isTest: false,
      state: 'failed',
      failedBecause: 'attempts_used_up',
      createdAt: delivery.createdAt.toISOString(),
      finishedAt: '2026-01-02T00:00:00.000Z',
      lastAttempt: { at: '2026-01-01T00:00:05.000Z', durationMs: 7, status: 500 },
      attempts: [
        { at: '2026-01-01T00:00:00.000Z', durationMs: 12, error: 'timeout' },
        { at: '2026-01-01T00:00:05.000Z', durationMs: 7, status: 500 },
      ],
      payload: delivery.payload,
      urls: { location: `http://api.test${at(`/deliveries/${delivery._id}`)}` },
    });
    const { attempts: _attempts, payload: _payload, ...listed } = body;
    expect((await call('GET', '/deliveries')).body.items).toEqual([listed]);
  });

  it('answers 404 for a delivery of another webhook, and for an unknown one', async ({
    api,
    admin,
    at,
    buildWebhook,
    buildDelivery,
  }) => {
    const delivery = await buildDelivery();
    const other = await buildWebhook();
    for (const id of [delivery._id, 'nothing']) {
      expect((await api.call('GET', at(`/deliveries/${id}`, other), { token: admin.token })).status).toBe(
        404,
      );
      expect(
        (await api.call('POST', at(`/deliveries/${id}/redeliver`, other), { token: admin.token })).status,
      ).toBe(404);
    }
    expect(await recordOf(delivery)).toEqual(delivery);
  });
});

describe('POST …/deliveries/{deliveryId}/redeliver', () => {
  it.for(['succeeded', 'failed'] as const)(
    'sends a delivery that has %s again, with the same id and all its attempts',
    async (state, { redeliver, buildDelivery }) => {
      const attempts = Array.from({ length: keptWebhookAttempts }, (_, i) => ({
        at: new Date(i),
        durationMs: i,
        status: 500,
      }));
      const old = new Date(Date.now() - 20 * dayMs);
      const delivery = await buildDelivery({
        ...failed,
        state,
        attempts,
        createdAt: old,
        nextAttemptAt: old,
        expireAt: old,
      });
      const { status, body } = await redeliver(delivery);
      expect([status, body.state, body.event, body.createdAt]).toEqual([
        200,
        'pending',
        delivery.event,
        old.toISOString(),
      ]);
      for (const field of ['finishedAt', 'failedBecause']) expect(body).not.toHaveProperty(field);
      const { finishedAt: _finishedAt, failedBecause: _failedBecause, ...kept } = delivery;
      const record = await recordOf(delivery);
      const due = { nextAttemptAt: record.nextAttemptAt, expireAt: record.expireAt };
      expect(record).toEqual({ ...kept, state: 'pending', round: 2, tries: 0, ...due });
      expect(Math.abs(record.nextAttemptAt.getTime() - Date.now())).toBeLessThan(60_000);
      expect(record.expireAt.getTime() - record.nextAttemptAt.getTime()).toBe(30 * dayMs);
    },
  );

  it('makes a pending delivery due at once, without a second attempt beside a running one', async ({
    redeliver,
    buildDelivery,
  }) => {
    const later = new Date(Date.now() + dayMs);
    const delivery = await buildDelivery({ tries: 3, nextAttemptAt: later });
    const lane = await laneOf(delivery);
    await WebhookLane.updateOne({ _id: lane._id }, { $set: { dueAt: later } });
    expect((await redeliver(delivery)).status).toBe(200);
    const record = await recordOf(delivery);
    expect(record).toMatchObject({ state: 'pending', round: 1, tries: 3 });
    expect(record.nextAttemptAt < later).toBe(true);
    expect((await laneOf(delivery)).dueAt).toEqual(record.nextAttemptAt);

    // While an attempt is made there is no second one beside it; after that the lane is looked at again.
    await WebhookLane.updateOne(
      { _id: lane._id },
      { $set: { dueAt: later, claim: 'somebody', isWoken: false } },
    );
    expect((await redeliver(delivery)).status).toBe(200);
    expect(await laneOf(delivery)).toMatchObject({ dueAt: later, claim: 'somebody', isWoken: true });
  });

  it('starts one round when many requests arrive at once', async ({ redeliver, buildDelivery }) => {
    const delivery = await buildDelivery(failed);
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeliver(delivery)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await recordOf(delivery)).toMatchObject({ state: 'pending', round: 2, tries: 0 });
  });

  it('is carried out once for one Idempotency-Key', async ({ api, admin, at, buildDelivery }) => {
    const delivery = await buildDelivery(failed);
    await sentTwice(api, 'POST', at(`/deliveries/${delivery._id}/redeliver`), { token: admin.token });
    expect((await recordOf(delivery)).round).toBe(2);
  });

  it('is refused while the webhook is switched off, and changes nothing', async ({
    webhook,
    redeliver,
    buildDelivery,
  }) => {
    const delivery = await buildDelivery(failed);
    await WebhookEndpoint.updateOne(
      { _id: webhook.id },
      { $set: { isEnabled: false, disabledReason: 'gone' } },
    );
    expect((await redeliver(delivery)).status).toBe(409);
    expect(await recordOf(delivery)).toEqual(delivery);
  });
});

it('pending deliveries fail when the webhook is switched off, and no others do', async ({
  api,
  admin,
  at,
  show,
  redeliver,
  buildDelivery,
}) => {
  const [pending, done] = [await buildDelivery(), await buildDelivery({ state: 'succeeded' })];
  const change = (json: object) => api.call('PATCH', at(), { token: admin.token, json });
  await change({ description: 'On' });
  expect((await show(pending)).body.state).toBe('pending');
  expect((await change({ enabled: false })).body.enabled).toBe(false);
  expect((await show(pending)).body).toMatchObject({
    state: 'failed',
    failedBecause: 'webhook_disabled',
    finishedAt: expect.stringMatching(/Z$/),
  });
  expect(await recordOf(done)).toEqual(done);
  await change({ enabled: true });
  expect((await redeliver(pending)).body.state).toBe('pending');
});

it('deliveries are for admins, and only of their organization', async ({
  api,
  creator,
  elsewhere,
  webhook,
  call,
  ping,
  show,
  redeliver,
  buildDelivery,
}) => {
  const delivery = await buildDelivery(failed);
  for (const [who, status] of [
    [creator, 403],
    [elsewhere.admin, 404],
  ] as const) {
    expect((await ping(who)).status).toBe(status);
    expect((await call('GET', '/deliveries', who)).status).toBe(status);
    expect((await show(delivery, who)).status).toBe(status);
    expect((await redeliver(delivery, who)).status).toBe(status);
  }
  const wrongPath = `/v1/orgs/${elsewhere.organization._id}/webhooks/${webhook.id}/deliveries/${delivery._id}`;
  expect((await api.call('GET', wrongPath, { token: elsewhere.admin.token })).status).toBe(404);
  expect((await api.call('POST', `${wrongPath}/redeliver`, { token: elsewhere.admin.token })).status).toBe(
    404,
  );
  expect(await recordOf(delivery)).toEqual(delivery);
});

it('an event is delivered to an endpoint once, however often it is handed out', async ({
  webhook,
  buildDelivery,
}) => {
  const delivery = await buildDelivery({ tries: 2 });
  const { organization: of, endpoint, event, kind, isTest, payload } = delivery;
  const fields = { organization: of, endpoint, event, kind, isTest, payload };
  const handed = await Promise.all(
    Array.from({ length: 5 }, () =>
      withTransaction((session) => insertWebhookDelivery({ ...fields, _id: newId() }, session)),
    ),
  );
  expect(handed.map(({ _id, tries }) => [_id, tries])).toEqual(handed.map(() => [delivery._id, 2]));
  expect(await WebhookDelivery.countDocuments({ endpoint: webhook.id })).toBe(1);
});
