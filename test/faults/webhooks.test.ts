import { Lease, WebhookLane } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { until } from '../support/until.ts';
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../support/http/webhookReceiver.ts';
import { buildEndpoint, deliveriesTo, forgetWebhooks, tellOf } from '../support/http/webhooks.ts';
import { bound } from '../support/machine.ts';

let lab: FaultLab;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  lab = await startFaultLab({ BINDERY_OUTBOUND_ALLOW: receiver.hostPort });
});
afterEach(async () => {
  await lab.reset({ keep: ['worker-maintenance'] });
  await forgetWebhooks(receiver);
});
afterAll(async () => {
  await lab.close();
  await receiver.close();
});

/** Frees the leases of a dead process at once, before their time has run out. */
async function endLeases(): Promise<void> {
  await Lease.deleteMany({});
  await WebhookLane.updateMany({}, { $set: { dueAt: new Date(0) } });
}

describe('a worker that is killed while it sends webhooks', { timeout: 60_000 }, () => {
  it.each([
    { point: 'webhook.fanned_out', requests: 1 },
    { point: 'webhook.placing', requests: 1 },
    { point: 'webhook.claimed', requests: 1 },
    // It is not known to have arrived: it comes twice, under one id.
    { point: 'webhook.sent', requests: 2 },
    { point: 'webhook.settled', requests: 1 },
  ])('at $point loses no event, and makes one delivery of it', async ({ point, requests }) => {
    const organization = newId();
    const endpoint = await buildEndpoint(lab.config, { organization, url: `${receiver.origin}/hook` });
    const dying = await lab.start('worker-maintenance', { fault: `${point}:1:kill` });
    const event = await tellOf(organization);
    expect(await dying.ended).toBe('SIGKILL');
    await endLeases();
    await lab.start('worker-maintenance');
    const deliveries = await until('end of the delivery', async () => {
      const found = await deliveriesTo(endpoint);
      return found.length > 0 && found.every(({ state }) => state === 'succeeded') ? found : undefined;
    });
    expect(deliveries).toMatchObject([{ event, state: 'succeeded' }]);
    const received = receiver.receivedAt('/hook');
    expect(received).toHaveLength(requests);
    for (const webhook of received) {
      expect(webhook.headers['webhook-id']).toBe(event);
      expect(await isSignedWith(endpoint.plainSecret, webhook)).toBe(true);
    }
    // The lane that the dead one held goes on, and is gone when it is empty.
    const next = await tellOf(organization);
    await until('the next webhook', () =>
      receiver.receivedAt('/hook').some(({ headers }) => headers['webhook-id'] === next),
    );
    await until('end of the lane', async () => (await WebhookLane.countDocuments()) === 0);
  });

  it('is replaced by another worker without intervention', async () => {
    const organization = newId();
    const endpoint = await buildEndpoint(lab.config, { organization, url: `${receiver.origin}/hook` });
    const dying = await lab.start('worker-maintenance', { fault: 'webhook.claimed:1:kill' });
    // A second one that takes the lease would send in its place, and nothing would die.
    await until('the lease of the one that dies', () => Lease.exists({ _id: 'webhooks' }));
    await lab.start('worker-maintenance');
    const event = await tellOf(organization);
    expect(await dying.ended).toBe('SIGKILL');
    const killedMs = Date.now();
    await until('end of the delivery', async () => (await deliveriesTo(endpoint))[0]?.state === 'succeeded', {
      timeoutMs: 30_000,
    });
    // The lease of the attempt is 12 seconds, that of whoever sends 10.
    expect(Date.now() - killedMs).toBeLessThan(bound(15_000));
    expect(receiver.receivedAt('/hook').map(({ headers }) => headers['webhook-id'])).toEqual([event]);
  });
});

it('a frozen worker does not overwrite the outcome of its successor', { timeout: 60_000 }, async () => {
  const organization = newId();
  const endpoint = await buildEndpoint(lab.config, { organization, url: `${receiver.origin}/hook` });
  const frozen = await lab.start('worker-maintenance', { fault: 'webhook.sent:1:freeze' });
  await tellOf(organization);
  await until('the first request', () => receiver.receivedAt('/hook').length === 1);
  await until('the freeze', async () => (await deliveriesTo(endpoint))[0]?.tries === 1);
  await endLeases();
  await lab.start('worker-maintenance');
  await until('end of the delivery', async () => (await deliveriesTo(endpoint))[0]?.state === 'succeeded');
  const settled = await deliveriesTo(endpoint);
  frozen.signal('SIGCONT');
  frozen.signal('SIGTERM');
  await frozen.ended;
  expect(await deliveriesTo(endpoint)).toEqual(settled);
  expect(settled).toMatchObject([{ tries: 2, attempts: [{ status: 204 }] }]);
});
