import {
  disconnectMongo,
  OutboxEvent,
  placeWebhookDeliveries,
  WebhookDelivery,
  WebhookLane,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { createOutbound } from '@bindery/outbound';
import { createLogger, newId, type Config } from '@bindery/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createDeliverer,
  type Deliverer,
} from '../../../apps/worker-maintenance/src/webhooks/createDeliverer.ts';
import { fanOutEvents } from '../../../apps/worker-maintenance/src/webhooks/fanOutEvents.ts';
import { examinedBy, type Examined } from '../../support/stores/examined.ts';
import { until } from '../../support/until.ts';
import type { WebhookReceiver } from '../../support/http/webhookReceiver.ts';
import {
  buildEndpoint,
  connectWithReceiver,
  deliveriesTo,
  forgetWebhooks,
  insertBacklog,
  tellOf,
} from '../../support/http/webhooks.ts';

// The cost of sending the next webhook does not depend on the number of waiting ones.

const few = 100;
const many = 50_000;

let receiver: WebhookReceiver;
let config: Config;
let organization: string;

beforeAll(async () => {
  ({ receiver, config } = await connectWithReceiver());
});
beforeEach(async () => {
  organization = newId();
  await forgetWebhooks(receiver);
});
afterAll(async () => {
  await disconnectMongo();
  await receiver.close();
});

const register = (path: string) => buildEndpoint(config, { organization, url: `${receiver.origin}${path}` });

/** Calls `work` with a deliverer in this process, and stops the deliverer afterwards. */
async function delivering<T>(work: (deliverer: Deliverer) => Promise<T>): Promise<T> {
  const outbound = createOutbound({ allow: config.outbound.allow, refused: config.outbound.refused });
  const stopping = new AbortController();
  const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
  const deliverer = createDeliverer(
    { outbound, secrets: config.secrets, logger, signal: stopping.signal },
    () => {},
  );
  try {
    return await work(deliverer);
  } finally {
    stopping.abort();
    await deliverer.settled();
    await outbound.close();
  }
}

const collections = ['webhookDeliveries', 'webhookLanes', 'webhookEndpoints', 'outboxEvents'];
const ticks = 20;

/** Measures looks for due deliveries while as many attempts as may run at once wait for their answers. */
async function examinedWhileHanging(attempts: number): Promise<Examined> {
  return delivering(async (deliverer) => {
    await deliverer.startDue();
    await until('the first attempts', () => receiver.received.length === attempts);
    const examined = await examinedBy(collections, async () => {
      for (let i = 0; i < ticks; i += 1) await deliverer.startDue();
    });
    expect(receiver.received).toHaveLength(attempts);
    return examined;
  });
}

/** Measures deliveries, one after the other. */
async function examinedWhileDelivering(): Promise<Examined> {
  return delivering(async (deliverer) =>
    examinedBy(collections, async () => {
      for (let i = 0; i < ticks; i += 1) {
        await deliverer.startDue();
        await deliverer.settled();
      }
    }),
  );
}

function expectAsCheap(atMany: Examined, atFew: Examined): void {
  expect(atMany.documents).toBeLessThanOrEqual(2 * atFew.documents);
  expect(atMany.keys).toBeLessThanOrEqual(2 * atFew.keys);
}

describe.each([
  ['one space', 1],
  ['a thousand spaces', 1_000],
])('a backlog of %s', (name, spaces) => {
  const backlogOf = (endpoint: WebhookEndpointRecord, count: number) =>
    insertBacklog(endpoint, { count, spaceOf: (index) => `space-${index % spaces}` });

  it('costs the same at any size, while the endpoint hangs and while it answers, and is sent in order', async () => {
    const hanging: Examined[] = [];
    const answering: Examined[] = [];
    for (const count of [few, many]) {
      const endpoint = await register('/hook');
      const events = await backlogOf(endpoint, count);
      receiver.received.length = 0;
      receiver.answers.set('/hook', 'never');
      hanging.push(await examinedWhileHanging(Math.min(spaces, 4)));
      receiver.received.length = 0;
      receiver.answers.clear();
      answering.push(await examinedWhileDelivering());
      const sent = receiver.receivedAt('/hook').map(({ headers }) => String(headers['webhook-id']));
      expect(sent.length).toBeGreaterThanOrEqual(ticks);
      if (spaces === 1) expect(sent).toEqual(events.slice(0, sent.length));
      await Promise.all([WebhookDelivery.deleteMany({}), WebhookLane.deleteMany({})]);
    }
    console.log(
      `The cost with ${few} and ${many} webhooks of ${name}: ${JSON.stringify({ hanging, answering })}`,
    );
    for (const [atFew, atMany] of [hanging, answering]) expectAsCheap(atMany!, atFew!);
  });
});

it('fanning out events costs the same for any number of waiting events', async () => {
  await register('/one');
  await register('/two');
  const examined: Examined[] = [];
  for (const count of [200, 20_000]) {
    const createdMs = Date.now() - count;
    await OutboxEvent.deleteMany({});
    await OutboxEvent.collection.insertMany(
      Array.from({ length: count }, (_, index) => ({
        _id: newId() as never,
        ...{
          organization,
          space: `space-${index % 7}`,
          type: 'space_content_updated',
          data: { revisionId: 'r', updatedBy: 'u' },
        },
        ...{ createdAt: new Date(createdMs + index), fannedOutAt: null },
      })),
    );
    examined.push(
      await examinedBy(collections, async () => {
        expect(await fanOutEvents()).toBe(true);
        await placeWebhookDeliveries();
      }),
    );
    await Promise.all([WebhookDelivery.deleteMany({}), WebhookLane.deleteMany({})]);
  }
  console.log(`The cost of handing out 200 and 20000 events: ${JSON.stringify(examined)}`);
  expectAsCheap(examined[1]!, examined[0]!);
});

it('a space with a large backlog does not delay other spaces at the same endpoint', async () => {
  receiver.answers.set('/busy', (response) => setImmediate(() => response.writeHead(204).end()));
  const endpoint = await register('/busy');
  await insertBacklog(endpoint, { count: 500, spaceOf: () => 'busy-space' });
  const event = await tellOf(organization, 'quiet-space');
  await fanOutEvents();
  await placeWebhookDeliveries();
  await delivering(async (deliverer) => {
    await until('the webhook of the quiet space', async () => {
      await deliverer.startDue();
      await deliverer.settled();
      return receiver.receivedAt('/busy').some(({ headers }) => headers['webhook-id'] === event);
    });
  });
  expect(receiver.receivedAt('/busy').length).toBeLessThan(10);
});

it('deliveries of an earlier version of the platform are sent too, in their order', async () => {
  const endpoint = await register('/earlier');
  const events = await insertBacklog(endpoint, {
    count: 40,
    spaceOf: (index) => `space-${index % 2}`,
    isOfEarlierVersion: true,
  });
  await delivering(async (deliverer) => {
    await until('end of the deliveries', async () => {
      await placeWebhookDeliveries();
      await deliverer.startDue();
      await deliverer.settled();
      return receiver.receivedAt('/earlier').length === events.length;
    });
  });
  const order = receiver.receivedAt('/earlier').map(({ headers }) => String(headers['webhook-id']));
  for (const parity of [0, 1]) {
    const ofSpace = events.filter((_, index) => index % 2 === parity);
    expect(order.filter((id) => ofSpace.includes(id))).toEqual(ofSpace);
  }
  expect(
    (await deliveriesTo(endpoint)).every(({ state, tries }) => state === 'succeeded' && tries === 1),
  ).toBe(true);
  await until('end of the lanes', async () => (await WebhookLane.countDocuments()) === 0);
});
