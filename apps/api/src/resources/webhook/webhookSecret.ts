import { randomBytes } from 'node:crypto';
import { notFound } from '@bindery/contract';
import { sealedSecretOf, webhookSealContext, WebhookEndpoint, withTransaction, type WebhookEndpointRecord } from '@bindery/models';
import { sealSecret, type SealedSecret } from '@bindery/runtime';
import { thePlatform } from '../../platform.ts';
import { changeRecord } from '../../records/changeRecord.ts';

/** For so long requests are signed with the secret before too: time to give the receiver the new one. */
const overlapMs = 24 * 60 * 60 * 1000;

/** A new secret as Standard Webhooks writes it, `whsec_` and the base64 of 32 random bytes; and sealed for the endpoint with this id. */
export function newWebhookSecret(endpointId: string): { secret: string; sealed: SealedSecret } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret, sealed: sealSecret(thePlatform().config.secrets, secret, webhookSealContext(endpointId)) };
}

/**
 * Gives an endpoint a new secret. The one before stays good for a day; one before that ends at once.
 *
 * @returns the secret itself, which is shown once
 */
export async function rotateWebhookSecret({
  _id,
}: Pick<WebhookEndpointRecord, '_id'>): Promise<{ webhook: WebhookEndpointRecord; secret: string }> {
  const { secret, sealed } = newWebhookSecret(_id);
  const webhook = await withTransaction(async (session) => {
    const current = await WebhookEndpoint.findById(_id).session(session).lean<WebhookEndpointRecord>();
    if (!current) throw notFound('webhook', _id);
    const now = new Date();
    const previousSecret = { sealed: sealedSecretOf(current.secret), expiresAt: new Date(now.getTime() + overlapMs) };
    const fields = { secret: sealed, previousSecret, updatedAt: now };
    return changeRecord<WebhookEndpointRecord>(WebhookEndpoint, current, fields, { session });
  });
  return { webhook, secret };
}
