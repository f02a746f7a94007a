import { notFound } from '@bindery/contract';
import {
  webhookSealContext,
  WebhookEndpoint,
  withTransaction,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { sealSecret, type SealedSecret, type SecretKeys } from '@bindery/runtime';
import { changeRecord } from '../../records/changeRecord.ts';
import { randomSecret, replacedSecret } from '../../records/signingSecret.ts';

/** Creates a secret, in plain text and sealed for the endpoint. */
export function newWebhookSecret(
  secrets: SecretKeys,
  endpointId: string,
): { secret: string; sealed: SealedSecret } {
  const secret = randomSecret();
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
    const fields = replacedSecret(current, sealed, new Date());
    return changeRecord<WebhookEndpointRecord>(WebhookEndpoint, current, fields, { session });
  });
  return { webhook, secret };
}
