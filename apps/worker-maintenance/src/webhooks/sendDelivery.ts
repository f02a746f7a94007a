import { JobError } from '@bindery/contract';
import {
  sealedSecretOf,
  webhookSealContext,
  type WebhookAttemptRecord,
  type WebhookDeliveryRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { retryAfterMs, type Outbound, type OutboundLimits } from '@bindery/outbound';
import { openSecret, type Logger, type SecretKeys } from '@bindery/runtime';
import { webhookHeaders } from './signatures.ts';

/** Of the answer only the status counts: whatever its body claims to be, a little of it is read and thrown away. */
const limits = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  totalMs: 10_000,
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxDecodedBytes: Number.MAX_SAFE_INTEGER,
} as const satisfies OutboundLimits;

/** Longest time that one attempt takes. */
export const attemptMs = limits.totalMs;

/** How it went; `askedMs` is how long the other side asked to wait. */
export type Sent = WebhookAttemptRecord & { askedMs?: number };

/**
 * Makes one attempt. What goes wrong with it is part of what is answered; the URL, the secrets and the words of the server are not.
 *
 * @throws only the reason of `signal`
 */
export async function sendDelivery(
  delivery: Pick<WebhookDeliveryRecord, '_id' | 'event' | 'payload'>,
  endpoint: WebhookEndpointRecord,
  { outbound, secrets, logger, signal }: { outbound: Outbound; secrets: SecretKeys; logger: Logger; signal: AbortSignal },
): Promise<Sent> {
  const at = new Date();
  const startedMs = performance.now();
  const attempt = (how: Partial<Sent>): Sent => ({ at, durationMs: Math.round(performance.now() - startedMs), ...how });
  try {
    const response = await outbound.request({
      url: outbound.checkUrl(endpoint.url),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Bindery-Webhooks',
        ...webhookHeaders({ id: delivery.event, at, body: delivery.payload, secrets: openSecrets(endpoint, { secrets, at }) }),
      },
      body: Buffer.from(delivery.payload),
      limits,
      redirects: 'none',
      signal,
    });
    const { status, headers } = response;
    await response.discard();
    const askedMs = status === 429 || status === 503 ? retryAfterMs(headers) : undefined;
    return attempt({ status, ...(askedMs !== undefined && { askedMs }) });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobError) return attempt({ error: error.code });
    logger.error({ err: error, delivery: delivery._id }, 'a webhook could not be sent for a reason of ours');
    return attempt({ error: 'internal' });
  }
}

/** The present secret, and the one before while it is good. */
function openSecrets({ _id, secret, previousSecret }: WebhookEndpointRecord, { secrets, at }: { secrets: SecretKeys; at: Date }): string[] {
  const sealed = [secret, ...(previousSecret && previousSecret.expiresAt > at ? [previousSecret.sealed] : [])];
  return sealed.map((one) => openSecret(secrets, sealedSecretOf(one), webhookSealContext(_id)));
}
