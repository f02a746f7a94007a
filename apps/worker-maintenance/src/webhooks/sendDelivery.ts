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

/** Only the status of the answer counts; a little of its body is read and discarded. */
const limits = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  totalMs: 10_000,
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxDecodedBytes: Number.MAX_SAFE_INTEGER,
} as const satisfies OutboundLimits;

/** The longest duration of an attempt. */
export const attemptMs = limits.totalMs;

/** The outcome of an attempt; `askedMs` is the time that the server asked to wait. */
export type Sent = WebhookAttemptRecord & { askedMs?: number };

/**
 * Makes one attempt. Errors are part of the result, which contains neither the URL, nor secrets, nor text of
 * the server.
 *
 * @throws only the reason of `signal`
 */
export async function sendDelivery(
  delivery: Pick<WebhookDeliveryRecord, '_id' | 'event' | 'payload'>,
  endpoint: WebhookEndpointRecord,
  {
    outbound,
    secrets,
    logger,
    signal,
  }: { outbound: Outbound; secrets: SecretKeys; logger: Logger; signal: AbortSignal },
): Promise<Sent> {
  const at = new Date();
  const startedMs = performance.now();
  const attempt = (how: Partial<Sent>): Sent => ({
    at,
    durationMs: Math.round(performance.now() - startedMs),
    ...how,
  });
  try {
    const response = await outbound.request({
      url: outbound.checkUrl(endpoint.url),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Bindery-Webhooks',
        ...webhookHeaders({
          id: delivery.event,
          at,
          body: delivery.payload,
          secrets: openSecrets(endpoint, { secrets, at }),
        }),
      },
      body: Buffer.from(delivery.payload),
      limits,
      redirects: 'none',
      signal,
    });
    const { status, headers } = response;
    await response.discard();
    const askedMs = status === 429 || status === 503 ? retryAfterMs(headers) : undefined;
    return attempt({ status, askedMs });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobError) return attempt({ error: error.code });
    logger.error(
      { err: error, delivery: delivery._id },
      'a webhook could not be sent because of an internal error',
    );
    return attempt({ error: 'internal' });
  }
}

/** Opens the present secret, and the previous one until it expires. */
function openSecrets(
  { _id, secret, previousSecret }: WebhookEndpointRecord,
  { secrets, at }: { secrets: SecretKeys; at: Date },
): string[] {
  const sealed = [
    secret,
    ...(previousSecret && previousSecret.expiresAt > at ? [previousSecret.sealed] : []),
  ];
  return sealed.map((one) => openSecret(secrets, sealedSecretOf(one), webhookSealContext(_id)));
}
