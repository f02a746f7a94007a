import { ApiError, notFound, type WebhookPayload } from '@bindery/contract';
import {
  insertWebhookDelivery,
  restartWebhookDelivery,
  WebhookDelivery,
  WebhookEndpoint,
  withTransaction,
  type ClientSession,
  type WebhookDeliveryRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';

type EndpointKeys = Pick<WebhookEndpointRecord, '_id' | 'organization'>;

/**
 * Sends a `ping`, which is tried once.
 *
 * @throws conflict when the webhook is disabled
 */
export async function sendPing({
  _id: endpoint,
  organization,
}: EndpointKeys): Promise<WebhookDeliveryRecord> {
  const event = newId();
  const payload: WebhookPayload = {
    eventId: event,
    type: 'ping',
    timestamp: new Date().toISOString(),
    organizationId: organization,
    webhookId: endpoint,
  };
  const ping = {
    _id: newId(),
    organization,
    endpoint,
    event,
    kind: 'ping' as const,
    isTest: true,
    payload: JSON.stringify(payload),
  };
  return withTransaction(async (session) => {
    await requireEnabled(endpoint, session);
    return insertWebhookDelivery(ping, session);
  });
}

/**
 * Sends a finished delivery again; one that waits for its next attempt is sent at once.
 *
 * @throws conflict when the webhook is disabled
 */
export async function redeliver({
  _id,
  endpoint,
}: Pick<WebhookDeliveryRecord, '_id' | 'endpoint'>): Promise<WebhookDeliveryRecord> {
  return withTransaction(async (session) => {
    await requireEnabled(endpoint, session);
    const delivery = await WebhookDelivery.findById(_id).session(session).lean<WebhookDeliveryRecord>();
    const started = delivery && (await restartWebhookDelivery(delivery, session));
    if (!started) throw notFound('delivery of this webhook', _id);
    return started;
  });
}

async function requireEnabled(endpointId: string, session: ClientSession): Promise<void> {
  const endpoint = await WebhookEndpoint.findById(endpointId).session(session).lean<WebhookEndpointRecord>();
  if (!endpoint) throw notFound('webhook', endpointId);
  if (endpoint.isEnabled) return;
  throw new ApiError('conflict', 'Disabled webhooks receive no deliveries.', {
    action: 'Enable it first: PATCH it with `enabled: true`.',
  });
}
