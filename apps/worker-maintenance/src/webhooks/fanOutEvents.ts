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
 * Makes a delivery of each event for each endpoint subscribed to it. Safe to run in several processes at
 * once: a unique index allows one delivery of an event per endpoint.
 *
 * An endpoint gets the events that are fanned out while it is enabled, which is shortly after they happened.
 * @returns whether there may be more
 */
export async function fanOutEvents(): Promise<boolean> {
  const events = await OutboxEvent.find({ fannedOutAt: null })
    .sort({ createdAt: 1 })
    .limit(eventsAtOnce)
    .lean<OutboxEventRecord[]>();
  if (events.length === 0) return false;
  const organizations = [...new Set(events.map(({ organization }) => organization))];
  const endpoints = await WebhookEndpoint.find({
    organization: { $in: organizations },
    isEnabled: true,
  }).lean<WebhookEndpointRecord[]>();
  try {
    await insertWebhookDeliveries(
      events.flatMap((event) =>
        endpoints.filter((endpoint) => wants(endpoint, event)).map(deliveryOf(event)),
      ),
    );
  } catch (error) {
    // Another process made some of them at the same moment; the next run makes the rest.
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
    (spaces.length === 0 || (event.space !== undefined && spaces.includes(event.space)))
  );
}

function deliveryOf(event: OutboxEventRecord) {
  const { _id, organization, type: kind, space } = event;
  const payload = JSON.stringify(payloadOf(event));
  return ({ _id: endpoint }: WebhookEndpointRecord) => ({
    ...{ _id: newId(), organization, endpoint, event: _id, kind, isTest: false, payload },
    ...(space !== undefined && { space }),
    dueAt: event.createdAt,
  });
}

function payloadOf({
  _id: eventId,
  organization: organizationId,
  space,
  createdAt,
  type,
  data,
}: OutboxEventRecord): WebhookPayload {
  const where = { organizationId, installationId: space, spaceId: space };
  // The record pairs each type with its data; TypeScript cannot follow that through a spread.
  return { eventId, type, ...where, timestamp: createdAt.toISOString(), ...data } as WebhookPayload;
}
