import { randomBytes } from 'node:crypto';
import {
  OutboxEvent,
  WebhookDelivery,
  webhookDeliveryCollection,
  WebhookEndpoint,
  WebhookLane,
  webhookSealContext,
  writeOutboxEvents,
  type WebhookDeliveryRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { loadConfig, newId, sealSecret, type Config } from '@bindery/runtime';
import { connectStores } from '../apiServer.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.ts';

/** Connects the stores, with a configuration that allows webhooks to a new receiver. */
export async function connectWithReceiver(): Promise<{ receiver: WebhookReceiver; config: Config }> {
  const receiver = await startWebhookReceiver();
  const config = loadConfig({ ...process.env, BINDERY_OUTBOUND_ALLOW: receiver.hostPort });
  await connectStores(config);
  return { receiver, config };
}

/** Deletes all endpoints, events and deliveries, and the receiver's requests and answers. */
export async function forgetWebhooks(receiver: WebhookReceiver): Promise<void> {
  await Promise.all([
    OutboxEvent.deleteMany({}),
    WebhookEndpoint.deleteMany({}),
    WebhookDelivery.deleteMany({}),
    WebhookLane.deleteMany({}),
  ]);
  receiver.received.length = 0;
  receiver.answers.clear();
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Creates an endpoint like an admin; also returns the secret. */
export async function buildEndpoint(
  config: Pick<Config, 'secrets'>,
  fields: Pick<WebhookEndpointRecord, 'organization' | 'url'> & Partial<WebhookEndpointRecord>,
): Promise<WebhookEndpointRecord & { plainSecret: string }> {
  const plainSecret = newSecret();
  const _id = newId();
  const now = new Date();
  const endpoint: WebhookEndpointRecord = {
    ...{
      _id,
      events: [],
      spaces: [],
      isEnabled: true,
      createdBy: 'nobody',
      createdAt: now,
      updatedAt: now,
      version: 1,
    },
    secret: sealSecret(config.secrets, plainSecret, webhookSealContext(_id)),
    ...fields,
  };
  await WebhookEndpoint.create(endpoint);
  return { ...endpoint, plainSecret };
}

/** Writes an event of a space. @returns its id */
export async function tellOf(
  organization: string,
  space = 'a-space',
  revisionId = 'a-revision',
): Promise<string> {
  const _id = newId();
  const data = { revisionId, updatedBy: 'somebody' };
  await writeOutboxEvents([
    { _id, type: 'space_content_updated', space: { _id: space, organization }, data },
  ]);
  return _id;
}

export async function deliveriesTo(
  endpoint: Pick<WebhookEndpointRecord, '_id'>,
): Promise<WebhookDeliveryRecord[]> {
  return WebhookDelivery.find({ endpoint: endpoint._id })
    .sort({ nextAttemptAt: 1 })
    .lean<WebhookDeliveryRecord[]>();
}

/**
 * Inserts waiting deliveries to an endpoint, as the platform leaves them; in one write, because they are
 * many.
 *
 * @param isOfEarlierVersion  in the form before there were lanes
 * @returns the ids of their events, in order
 */
export async function insertBacklog(
  { _id: endpoint, organization }: Pick<WebhookEndpointRecord, '_id' | 'organization'>,
  {
    count,
    spaceOf,
    isOfEarlierVersion = false,
  }: { count: number; spaceOf: (index: number) => string; isOfEarlierVersion?: boolean },
): Promise<string[]> {
  const createdMs = Date.now() - count;
  const expireAt = new Date(Date.now() + 86_400_000);
  const deliveries = Array.from({ length: count }, (_, index): WebhookDeliveryRecord => {
    const at = new Date(createdMs + index);
    const space = spaceOf(index);
    const lane = !isOfEarlierVersion && { lane: `${endpoint}:${space}` };
    const fields = {
      kind: 'space_content_updated' as const,
      isTest: false,
      payload: '{}',
      state: 'pending' as const,
    };
    const counts = { round: 1, tries: 0, attempts: [] };
    return {
      _id: newId(),
      organization,
      endpoint,
      space,
      event: newId(),
      ...lane,
      ...fields,
      ...counts,
      nextAttemptAt: at,
      createdAt: at,
      expireAt,
    };
  });
  await webhookDeliveryCollection().insertMany(deliveries, { ordered: false });
  const lanes = new Set(deliveries.flatMap(({ lane }) => lane ?? []));
  await WebhookLane.insertMany(
    [...lanes].map((_id) => ({ _id, endpoint, dueAt: new Date(createdMs), isWoken: true })),
  );
  return deliveries.map(({ event }) => event);
}
