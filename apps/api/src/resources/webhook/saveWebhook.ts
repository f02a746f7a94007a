import { ApiError, invalid, JobError, maxWebhooks, type CreateWebhook, type UpdateWebhook } from '@bindery/contract';
import {
  failPendingWebhookDeliveries,
  lockTree,
  serialized,
  WebhookEndpoint,
  withTransaction,
  type MemberRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { thePlatform } from '../../platform.ts';
import { changeRecord } from '../../records/changeRecord.ts';
import { findAddableSpaces } from '../site-space/findAddableSpaces.ts';
import { newWebhookSecret } from './webhookSecret.ts';

/**
 * Makes an endpoint in the organization of the member, with a secret.
 *
 * @returns the secret itself too, which is shown once
 * @throws conflict when the organization has as many as it may; invalid_request for an address that nothing is sent to, or a space that it does not have
 */
export async function createWebhook(
  member: MemberRecord,
  { url, description, events = [], spaces = [], enabled = true }: CreateWebhook,
): Promise<{ webhook: WebhookEndpointRecord; secret: string }> {
  checkAddress(url);
  await checkSpaces(spaces, member);
  const { organization } = member;
  const id = newId();
  const { secret, sealed } = newWebhookSecret(id);
  const now = new Date();
  const webhook: WebhookEndpointRecord = {
    _id: id,
    organization,
    url,
    ...(description && { description }),
    events,
    spaces,
    secret: sealed,
    isEnabled: enabled,
    createdBy: member.user,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  await serialized(`webhooks:${organization}`, async () =>
    withTransaction(async (session) => {
      // Writes the organization: of two that come at once, the later one counts the earlier one.
      await lockTree(organization, session);
      if ((await WebhookEndpoint.countDocuments({ organization }).session(session)) >= maxWebhooks) throw full();
      await WebhookEndpoint.create([webhook], { session });
    }),
  );
  return { webhook, secret };
}

/**
 * Changes what is given. What is pending is sent to the new address, or has failed when nothing is sent any more.
 *
 * @throws invalid_request as createWebhook does; a space that stands in it already may stay, whatever has become of it
 */
export async function updateWebhook(
  webhook: WebhookEndpointRecord,
  { url, description, events, spaces, enabled }: UpdateWebhook,
  member: MemberRecord,
): Promise<WebhookEndpointRecord> {
  if (url !== undefined) checkAddress(url);
  if (spaces) await checkSpaces(new Set(spaces).difference(new Set(webhook.spaces)), member);
  const fields = {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description: description || undefined }),
    ...(events && { events }),
    ...(spaces && { spaces }),
    ...(enabled !== undefined && { isEnabled: enabled, disabledReason: undefined }),
    // What failed was another address, or is given another chance.
    ...((enabled || (url !== undefined && url !== webhook.url)) && { failingSince: undefined }),
  };
  const isEmpty = Object.keys(fields).length === 0;
  const changes = isEmpty ? {} : { ...fields, updatedAt: new Date() };
  const changed = await changeRecord<WebhookEndpointRecord>(WebhookEndpoint, webhook, changes);
  if (enabled === false) await failPendingWebhookDeliveries(webhook._id);
  return changed;
}

/** Refuses what shows by itself that nothing may be sent there; what a name leads to is checked whenever something is sent. */
function checkAddress(url: string): void {
  if (url.includes('#')) throw invalid('body.url', 'must not have a fragment: it would not be sent.');
  try {
    thePlatform().outbound.checkUrl(url);
  } catch (error) {
    if (error instanceof JobError) throw invalid('body.url', error.message);
    throw error;
  }
}

async function checkSpaces(ids: Iterable<string>, member: MemberRecord): Promise<void> {
  await findAddableSpaces([...ids], { organization: { _id: member.organization }, member, path: 'body.spaces' });
}

function full(): ApiError {
  return new ApiError('conflict', `An organization has at most ${maxWebhooks} webhooks.`, {
    action: 'Delete one that is no longer used, or send more events to one of them.',
  });
}
