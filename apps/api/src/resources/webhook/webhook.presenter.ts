import type { Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@bindery/contract';
import type { WebhookAttemptRecord, WebhookDeliveryRecord, WebhookEndpointRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { previousSecretEnd } from '../../records/signingSecret.ts';

/** @param now  decides whether the previous secret has expired */
export function presentWebhook(webhook: WebhookEndpointRecord, links: Links, now = new Date()): Webhook {
  const {
    _id: id,
    organization,
    url,
    description,
    events,
    spaces,
    isEnabled,
    disabledReason,
    failingSince,
  } = webhook;
  return {
    object: 'webhook',
    id,
    url,
    description,
    events,
    spaces,
    enabled: isEnabled,
    disabledReason,
    failingSince: failingSince?.toISOString(),
    previousSecretExpiresAt: previousSecretEnd(webhook, now),
    createdBy: webhook.createdBy,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
    urls: { location: links.api(`/orgs/${organization}/webhooks/${id}`) },
  };
}

export function presentDelivery(delivery: WebhookDeliveryRecord, links: Links): WebhookDelivery {
  const {
    _id: id,
    organization,
    endpoint,
    event,
    kind,
    space,
    isTest,
    state,
    failedBecause,
    createdAt,
    nextAttemptAt,
    finishedAt,
  } = delivery;
  const last = delivery.attempts.at(-1);
  return {
    object: 'webhook-delivery',
    id,
    webhook: endpoint,
    event,
    type: kind,
    space,
    isTest,
    state,
    failedBecause,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: state === 'pending' ? nextAttemptAt.toISOString() : undefined,
    finishedAt: finishedAt?.toISOString(),
    lastAttempt: last && presentAttempt(last),
    urls: { location: links.api(`/orgs/${organization}/webhooks/${endpoint}/deliveries/${id}`) },
  };
}

/** Presents a delivery with its payload and its attempts. */
export function presentDeliveryDetails(
  delivery: WebhookDeliveryRecord,
  links: Links,
): WebhookDeliveryDetails {
  return {
    ...presentDelivery(delivery, links),
    attempts: delivery.attempts.map(presentAttempt),
    payload: delivery.payload,
  };
}

function presentAttempt({ at, durationMs, status, error }: WebhookAttemptRecord): WebhookAttempt {
  return {
    at: at.toISOString(),
    durationMs,
    status,
    error,
  };
}
