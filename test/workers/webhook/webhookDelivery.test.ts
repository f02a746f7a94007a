import { WebhookPayload } from '@bindery/contract';
import {
  disconnectMongo,
  insertWebhookDelivery,
  Lease,
  OutboxEvent,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookLane,
  webhookSealContext,
  withTransaction,
  writeOutboxEvents,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { newId, sealSecret, type Config } from '@bindery/runtime';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fanOutEvents } from '../../../apps/worker-maintenance/src/webhooks/fanOutEvents.ts';
import { startWebhooks } from '../../../apps/worker-maintenance/src/webhooks/startWebhooks.ts';
import { until } from '../../support/until.ts';
import { isSignedWith, type WebhookReceiver } from '../../support/http/webhookReceiver.ts';
import {
  buildEndpoint,
  connectWithReceiver,
  deliveriesTo,
  forgetWebhooks,
  newSecret,
  tellOf,
} from '../../support/http/webhooks.ts';
import { bound } from '../../support/machine.ts';

let receiver: WebhookReceiver;
let config: Config;
let organization: string;
const logLines: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ receiver, config } = await connectWithReceiver());
});
beforeEach(async () => {
  organization = newId();
  await forgetWebhooks(receiver);
  await Lease.deleteMany({});
  logLines.length = 0;
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});
afterAll(async () => {
  await disconnectMongo();
  await receiver.close();
});

const start = (delaysMs?: number[]) =>
  void stops.push(startWebhooks({ config, logger, ...(delaysMs && { delaysMs }) }));
const register = (path: string, fields: Partial<WebhookEndpointRecord> = {}) =>
  buildEndpoint(config, { organization, url: `${receiver.origin}${path}`, ...fields });
const endpointNow = ({ _id }: { _id: string }) => WebhookEndpoint.findById(_id).lean<WebhookEndpointRecord>();
const arrived = (path: string, count = 1) =>
  until(`${count} webhooks at ${path}`, () =>
    receiver.receivedAt(path).length >= count ? receiver.receivedAt(path) : undefined,
  );
const ended = (endpoint: { _id: string }, count = 1) =>
  until('end of the deliveries', async () => {
    const deliveries = await deliveriesTo(endpoint);
    return deliveries.length >= count && deliveries.every(({ state }) => state !== 'pending')
      ? deliveries
      : undefined;
  });

describe('an event', () => {
  it('reaches the endpoints of its organization within two seconds, signed and in the documented format', async () => {
    start();
    const endpoint = await register('/hook?key=canary');
    await register('/elsewhere', { organization: newId() });
    // The leader has looked for the first time.
    await until('leader', () => Lease.exists({ _id: 'webhooks' }));
    const writtenMs = Date.now();
    const event = await tellOf(organization, 'my-space', 'my-revision');
    const [webhook] = await arrived('/hook');
    expect(webhook!.atMs - writtenMs).toBeLessThan(bound(2_000));
    expect(webhook).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Bindery-Webhooks', 'webhook-id': event },
    });
    expect(Math.abs(Number(webhook!.headers['webhook-timestamp']) * 1000 - webhook!.atMs)).toBeLessThan(
      2_000,
    );
    expect(await isSignedWith(endpoint.plainSecret, webhook!)).toBe(true);
    expect(await isSignedWith(newSecret(), webhook!)).toBe(false);
    expect(await isSignedWith(endpoint.plainSecret, { ...webhook!, body: `${webhook!.body} ` })).toBe(false);
    const payload: unknown = JSON.parse(webhook!.body);
    expect(payload).toEqual({
      eventId: event,
      type: 'space_content_updated',
      installationId: 'my-space',
      spaceId: 'my-space',
      organizationId: organization,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      revisionId: 'my-revision',
      updatedBy: 'somebody',
    });
    expect(WebhookPayload.parse(payload)).toEqual(payload);
    expect(await ended(endpoint)).toMatchObject([
      {
        event,
        kind: 'space_content_updated',
        space: 'my-space',
        state: 'succeeded',
        tries: 1,
        attempts: [{ status: 204 }],
      },
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  it('goes only to enabled endpoints that subscribe to its kind and its space', async () => {
    await register('/kind', { events: ['space_visibility_updated'] });
    await register('/space', { spaces: ['another-space'] });
    await register('/off', { isEnabled: false });
    const wanting = await register('/wanting', {
      events: ['space_content_updated'],
      spaces: ['another-space', 'a-space'],
    });
    await tellOf(organization);
    start();
    await ended(wanting);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/wanting']);
    expect(await WebhookDelivery.countDocuments()).toBe(1);
  });

  it('without a space reaches the endpoints that are not limited to spaces', async () => {
    await register('/space', { spaces: ['a-space'] });
    await register('/kind', { events: ['space_content_updated'] });
    await register('/elsewhere', { organization: newId() });
    const endpoints = [
      await register('/all'),
      await register('/wanting', { events: ['openapi_version_created'] }),
    ];
    const data = { specId: 's', specSlug: 'pets', versionId: 'v', title: 'Pets', documentVersion: '1' };
    const event = newId();
    await writeOutboxEvents([{ _id: event, type: 'openapi_version_created', organization, data }]);
    start();
    for (const endpoint of endpoints) {
      const [delivery] = await ended(endpoint);
      expect(delivery).toMatchObject({ event, kind: 'openapi_version_created', state: 'succeeded' });
      expect(delivery).not.toHaveProperty('space');
    }
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/all', '/wanting']);
    const payload: unknown = JSON.parse(receiver.received[0]!.body);
    expect(payload).toEqual({
      eventId: event,
      type: 'openapi_version_created',
      organizationId: organization,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      ...data,
    });
    expect(WebhookPayload.parse(payload)).toEqual(payload);
  });

  it('is fanned out once by several processes at the same moment', async () => {
    const endpoints = await Promise.all(Array.from({ length: 3 }, (_, index) => register(`/once-${index}`)));
    const events = await Promise.all(
      Array.from({ length: 30 }, (_, index) => tellOf(organization, `space-${index % 5}`)),
    );

    await Promise.all([fanOutEvents(), fanOutEvents(), fanOutEvents()]);
    start();
    start();
    for (const endpoint of endpoints) await ended(endpoint, events.length);
    expect(receiver.received).toHaveLength(endpoints.length * events.length);
    for (const [index] of endpoints.entries())
      expect(
        new Set(receiver.receivedAt(`/once-${index}`).map(({ headers }) => headers['webhook-id'])),
      ).toEqual(new Set(events));
  });

  it('is delivered after the earlier events of its space', async () => {
    receiver.answers.set('/ordered', (response) => setImmediate(() => response.writeHead(204).end()));
    const endpoint = await register('/ordered');
    const events: string[] = [];
    for (let index = 0; index < 12; index += 1) events.push(await tellOf(organization, `space-${index % 2}`));
    start();
    await ended(endpoint, events.length);
    for (const parity of [0, 1]) {
      const ofSpace = events.filter((_, index) => index % 2 === parity);
      const order = receiver.receivedAt('/ordered').map(({ headers }) => headers['webhook-id']);
      expect(order.filter((id) => ofSpace.includes(String(id)))).toEqual(ofSpace);
    }
  });
});

describe('a receiver that fails', () => {
  it('gets the same message again with a new signature until it accepts it', async () => {
    const statuses = [500, 404, 204];
    receiver.answers.set('/shaky', (response) => response.writeHead(statuses.shift()!).end());
    const endpoint = await register('/shaky');
    const event = await tellOf(organization);
    start([20, 20]);
    const [delivery] = await ended(endpoint);
    expect(delivery).toMatchObject({
      state: 'succeeded',
      tries: 3,
      attempts: [{ status: 500 }, { status: 404 }, { status: 204 }],
    });
    const requests = receiver.receivedAt('/shaky');
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([event, event, event]);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    for (const request of requests) expect(await isSignedWith(endpoint.plainSecret, request)).toBe(true);
    await until('end of its failing', async () => (await endpointNow(endpoint))?.failingSince === undefined);
  });

  it('is given up for this event after the last attempt', async () => {
    receiver.answers.set('/broken', 500);
    const endpoint = await register('/broken');
    await tellOf(organization);
    start([10, 10, 10]);
    const [delivery] = await ended(endpoint);
    expect(delivery).toMatchObject({
      state: 'failed',
      failedBecause: 'attempts_used_up',
      tries: 4,
      finishedAt: expect.any(Date),
    });
    expect(delivery!.attempts).toHaveLength(4);
    expect(receiver.receivedAt('/broken')).toHaveLength(4);
    const now = await until('note of its failing', async () =>
      (await endpointNow(endpoint))?.failingSince ? endpointNow(endpoint) : undefined,
    );
    expect(now).toMatchObject({ isEnabled: true });
  });

  it('gets a ping only once', async () => {
    receiver.answers.set('/pinged', 500);
    const endpoint = await register('/pinged', { events: ['space_visibility_updated'] });
    const ping = {
      _id: newId(),
      organization,
      endpoint: endpoint._id,
      event: newId(),
      kind: 'ping' as const,
      isTest: true,
      payload: '{}',
    };
    await withTransaction((session) => insertWebhookDelivery(ping, session));
    start([10, 10]);
    expect(await ended(endpoint)).toMatchObject([
      { state: 'failed', failedBecause: 'attempts_used_up', tries: 1 },
    ]);
    expect(receiver.receivedAt('/pinged')).toHaveLength(1);
  });

  it('is not followed when it redirects', async () => {
    receiver.answers.set('/moved', (response) => response.writeHead(307, { location: '/elsewhere' }).end());
    const endpoint = await register('/moved');
    await tellOf(organization);
    start([]);
    expect(await ended(endpoint)).toMatchObject([{ state: 'failed', attempts: [{ status: 307 }] }]);
    expect(receiver.receivedAt('/elsewhere')).toEqual([]);
  });

  it('is disabled when it answers 410, and its waiting deliveries end', async () => {
    receiver.answers.set('/gone', 410);
    const endpoint = await register('/gone');
    for (let index = 0; index < 3; index += 1) await tellOf(organization);
    start();
    const deliveries = await ended(endpoint, 3);
    expect(deliveries.map(({ failedBecause }) => failedBecause)).toEqual([
      'webhook_gone',
      'webhook_disabled',
      'webhook_disabled',
    ]);
    expect(await endpointNow(endpoint)).toMatchObject({ isEnabled: false, disabledReason: 'gone' });
    expect(receiver.receivedAt('/gone')).toHaveLength(1);
    await tellOf(organization);
    await until('end of handing out', async () => !(await OutboxEvent.exists({ fannedOutAt: null })));
    expect(await WebhookDelivery.countDocuments()).toBe(3);
  });

  it('is disabled after five days of failures only', async () => {
    receiver.answers.set('/failing', 500);
    const dayMs = 86_400_000;
    const endpoint = await register('/failing', { failingSince: new Date(Date.now() - 4.9 * dayMs) });
    await tellOf(organization);
    start([]);
    await ended(endpoint);
    expect(await endpointNow(endpoint)).toMatchObject({ isEnabled: true });
    await WebhookEndpoint.updateOne(
      { _id: endpoint._id },
      { $set: { failingSince: new Date(Date.now() - 5.1 * dayMs) } },
    );
    await tellOf(organization);
    await until('end of sending to it', async () => !(await endpointNow(endpoint))?.isEnabled);
    expect(await endpointNow(endpoint)).toMatchObject({ disabledReason: 'failing' });
  });

  it('gets no earlier request when it asks to wait', async () => {
    receiver.answers.set('/busy', (response) => response.writeHead(503, { 'retry-after': '600' }).end());
    const endpoint = await register('/busy');
    await tellOf(organization);
    start([10]);
    const [delivery] = await until('a first attempt', async () => {
      const deliveries = await deliveriesTo(endpoint);
      return deliveries[0]?.attempts.length ? deliveries : undefined;
    });
    expect(delivery!.nextAttemptAt.getTime() - Date.now()).toBeGreaterThan(590_000);
  });

  it('does not delay the others when it never answers', async () => {
    receiver.answers.set('/silent', 'never');
    const silent = await register('/silent');
    const lively = await register('/lively');
    start();
    for (let index = 0; index < 40; index += 1) await tellOf(organization, `space-${index}`);
    const startedMs = Date.now();
    await ended(lively, 40);
    expect(Date.now() - startedMs).toBeLessThan(bound(5_000));
    expect(receiver.receivedAt('/silent').length).toBeLessThanOrEqual(4);
    expect((await deliveriesTo(silent)).every(({ state }) => state === 'pending')).toBe(true);
  });

  it('may send a response of any size, of which nothing is stored', async () => {
    receiver.answers.set('/talkative', (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const talk = setInterval(() => response.write('canary '.repeat(10_000)), 1);
      response.on('close', () => clearInterval(talk));
    });
    const endpoint = await register('/talkative');
    await tellOf(organization);
    start();
    expect(await ended(endpoint)).toMatchObject([{ state: 'succeeded', attempts: [{ status: 200 }] }]);
    expect(JSON.stringify([await deliveriesTo(endpoint), logLines])).not.toContain('canary');
  });
});

describe('an endpoint', () => {
  it('gets signatures of both secrets during a rotation, and of one afterwards', async () => {
    const endpoint = await register('/rotating');
    const secret = newSecret();
    const sealed = sealSecret(config.secrets, secret, webhookSealContext(endpoint._id));
    const rotate = (expiresAt: Date) =>
      WebhookEndpoint.updateOne(
        { _id: endpoint._id },
        { $set: { secret: sealed, previousSecret: { sealed: endpoint.secret, expiresAt } } },
      );
    await rotate(new Date(Date.now() + 60_000));
    start();
    await tellOf(organization);
    const [during] = await arrived('/rotating');
    expect([await isSignedWith(secret, during!), await isSignedWith(endpoint.plainSecret, during!)]).toEqual([
      true,
      true,
    ]);
    await rotate(new Date(Date.now() - 1));
    await tellOf(organization);
    const [, after] = await arrived('/rotating', 2);
    expect([await isSignedWith(secret, after!), await isSignedWith(endpoint.plainSecret, after!)]).toEqual([
      true,
      false,
    ]);
  });

  it('gets none of its waiting deliveries when an admin disables it', async () => {
    const endpoint = await register('/halted');
    await tellOf(organization);

    await fanOutEvents();
    await WebhookEndpoint.updateOne({ _id: endpoint._id }, { $set: { isEnabled: false } });
    start();
    expect(await ended(endpoint)).toMatchObject([
      { state: 'failed', failedBecause: 'webhook_disabled', attempts: [] },
    ]);
    await until('end of its lane', async () => (await WebhookLane.countDocuments()) === 0);
    expect(receiver.received).toEqual([]);
  });

  it('loses its deliveries when it is deleted', async () => {
    const endpoint = await register('/deleted');
    await tellOf(organization);

    await fanOutEvents();
    await WebhookEndpoint.deleteOne({ _id: endpoint._id });
    start();
    await until('end of its deliveries', async () => (await deliveriesTo(endpoint)).length === 0);
    await until('end of its lane', async () => (await WebhookLane.countDocuments()) === 0);
    expect(receiver.received).toEqual([]);
  });

  it('shows an error code for a refused address, and its URL and secret are in no log', async () => {
    const endpoint = await register('/', { url: 'http://user.127.0.0.1.invalid:9/?key=canary-of-the-url' });
    const refused = await register('/', { url: 'http://127.0.0.1:9/?key=canary-of-the-url' });
    await tellOf(organization);
    start([]);
    expect(await ended(endpoint)).toMatchObject([
      { state: 'failed', attempts: [{ error: expect.stringMatching(/^(dns|refused_address)$/) }] },
    ]);
    expect(await ended(refused)).toMatchObject([
      { state: 'failed', attempts: [{ error: 'refused_address' }] },
    ]);
    await until('lines of the log', () => logLines.length >= 2);
    const log = logLines.join('');
    expect(log).toContain(endpoint._id);
    expect(log).not.toContain('canary-of-the-url');
    expect(log).not.toContain(endpoint.plainSecret);
  });
});

describe('a process that stops', () => {
  it('aborts its attempts, and the next process repeats them at once under the same id', async () => {
    receiver.answers.set('/resumed', 'never');
    const endpoint = await register('/resumed');
    const event = await tellOf(organization);
    start();
    await arrived('/resumed');
    await stops.pop()!();
    expect(await deliveriesTo(endpoint)).toMatchObject([{ state: 'pending', tries: 0, attempts: [] }]);
    receiver.answers.delete('/resumed');
    start();
    expect(await ended(endpoint)).toMatchObject([{ state: 'succeeded', tries: 1 }]);
    expect(receiver.receivedAt('/resumed').map(({ headers }) => headers['webhook-id'])).toEqual([
      event,
      event,
    ]);
  });
});
