import type { WebhookPayload } from '@bindery/contract';
import {
  insertWebhookDeliveries,
  isDuplicateKey,
  OutboxEvent,
  settleOutboxEvents,
  WebhookEndpoint,
  type OutboxEventRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { faultPoint, newId } from '@bindery/runtime';

const eventsAtOnce = 100;

/**
 * Makes a delivery of each event for each endpoint that wants it. Safe to run by several processes at once: a unique index lets an event go to an
 * endpoint once.
 *
 * An endpoint gets the events that are handed out while it is enabled, which is a moment after they happened.
 * @returns whether there may be more
 */
export async function fanOutEvents(): Promise<boolean> {
  const events = await OutboxEvent.find({ fannedOutAt: null }).sort({ createdAt: 1 }).limit(eventsAtOnce).lean<OutboxEventRecord[]>();
  if (events.length === 0) return false;
  const organizations = [...new Set(events.map(({ organization }) => organization))];
  const endpoints = await WebhookEndpoint.find({ organization: { $in: organizations }, isEnabled: true }).lean<WebhookEndpointRecord[]>();
  try {
    await insertWebhookDeliveries(events.flatMap((event) => endpoints.filter((endpoint) => wants(endpoint, event)).map(deliveryOf(event))));
  } catch (error) {
    // Another process was at it at the same moment; what it has not made is made by the next look.
    if (isDuplicateKey(error)) return true;
    throw error;
  }
  await faultPoint('webhook.fanned_out');
  await settleOutboxEvents(events.map(({ _id }) => _id));
  return events.length === eventsAtOnce;
}

function wants({ organization, events, spaces }: WebhookEndpointRecord, event: OutboxEventRecord): boolean {
  return (
    organization === event.organization &&
    (events.length === 0 || events.includes(event.type)) &&
    (spaces.length === 0 || spaces.includes(event.space))
  );
}

function deliveryOf(event: OutboxEventRecord) {
  const { _id, organization, type: kind, space } = event;
  const payload = JSON.stringify(payloadOf(event));
  return ({ _id: endpoint }: WebhookEndpointRecord) => ({
    ...{ _id: newId(), organization, endpoint, event: _id, kind, space, isTest: false, payload },
    dueAt: event.createdAt,
  });
}

function payloadOf({ _id: eventId, organization: organizationId, space, createdAt, type, data }: OutboxEventRecord): WebhookPayload {
  const where = { installationId: space, spaceId: space, organizationId };
  // Which data belong to which type, the record says; TypeScript does not follow that through a spread.
  return { eventId, type, ...where, timestamp: createdAt.toISOString(), ...data } as WebhookPayload;
}
