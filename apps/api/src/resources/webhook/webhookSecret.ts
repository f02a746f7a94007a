import { randomBytes } from 'node:crypto';
import { notFound } from '@bindery/contract';
import {
  sealedSecretOf,
  webhookSealContext,
  WebhookEndpoint,
  withTransaction,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { sealSecret, type SealedSecret, type SecretKeys } from '@bindery/runtime';
import { changeRecord } from '../../records/changeRecord.ts';

/** How long requests are also signed with the previous secret, so that the receiver has time to switch. */
const overlapMs = 24 * 60 * 60 * 1000;

/**
 * Creates a secret in the format of Standard Webhooks, `whsec_` and the base64 of 32 random bytes, in plain
 * text and sealed for the endpoint.
 */
export function newWebhookSecret(
  secrets: SecretKeys,
  endpointId: string,
): { secret: string; sealed: SealedSecret } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret, sealed: sealSecret(secrets, secret, webhookSealContext(endpointId)) };
}

/**
 * Replaces the secret of an endpoint. The previous secret stays valid for a day; an older one ends at once.
 *
 * @returns the secret in plain text, which only this answer shows
 */
export async function rotateWebhookSecret(
  secrets: SecretKeys,
  { _id }: Pick<WebhookEndpointRecord, '_id'>,
): Promise<{ webhook: WebhookEndpointRecord; secret: string }> {
  const { secret, sealed } = newWebhookSecret(secrets, _id);
  const webhook = await withTransaction(async (session) => {
    const current = await WebhookEndpoint.findById(_id).session(session).lean<WebhookEndpointRecord>();
    if (!current) throw notFound('webhook', _id);
    const now = new Date();
    const previousSecret = {
      sealed: sealedSecretOf(current.secret),
      expiresAt: new Date(now.getTime() + overlapMs),
    };
    const fields = { secret: sealed, previousSecret, updatedAt: now };
    return changeRecord<WebhookEndpointRecord>(WebhookEndpoint, current, fields, { session });
  });
  return { webhook, secret };
}
