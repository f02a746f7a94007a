import { randomBytes } from 'node:crypto';
import {
  WebhookDelivery,
  WebhookEndpoint,
  webhookSealContext,
  writeOutboxEvents,
  type WebhookDeliveryRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { newId, sealSecret, type Config } from '@bindery/runtime';

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** An endpoint as an admin makes it; the secret is answered too. */
export async function buildEndpoint(
  config: Pick<Config, 'secrets'>,
  fields: Pick<WebhookEndpointRecord, 'organization' | 'url'> & Partial<WebhookEndpointRecord>,
): Promise<WebhookEndpointRecord & { plainSecret: string }> {
  const plainSecret = newSecret();
  const _id = newId();
  const now = new Date();
  const endpoint: WebhookEndpointRecord = {
    ...{ _id, events: [], spaces: [], isEnabled: true, createdBy: 'nobody', createdAt: now, updatedAt: now, version: 1 },
    secret: sealSecret(config.secrets, plainSecret, webhookSealContext(_id)),
    ...fields,
  };
  await WebhookEndpoint.create(endpoint);
  return { ...endpoint, plainSecret };
}

/** Something happened in a space. @returns the id of the event */
export async function tellOf(organization: string, space = 'a-space', revisionId = 'a-revision'): Promise<string> {
  const _id = newId();
  const data = { revisionId, updatedBy: 'somebody' };
  await writeOutboxEvents([{ _id, type: 'space_content_updated', space: { _id: space, organization }, data }]);
  return _id;
}

export async function deliveriesTo(endpoint: Pick<WebhookEndpointRecord, '_id'>): Promise<WebhookDeliveryRecord[]> {
  return WebhookDelivery.find({ endpoint: endpoint._id }).sort({ nextAttemptAt: 1 }).lean<WebhookDeliveryRecord[]>();
}
