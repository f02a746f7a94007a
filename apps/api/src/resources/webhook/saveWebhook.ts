import {
  ApiError,
  invalid,
  JobError,
  maxWebhooks,
  type CreateWebhook,
  type UpdateWebhook,
} from '@bindery/contract';
import {
  failPendingWebhookDeliveries,
  lockTree,
  serialized,
  WebhookEndpoint,
  withTransaction,
  type MemberRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import type { Outbound } from '@bindery/outbound';
import { newId } from '@bindery/runtime';
import type { Platform } from '../../platform.ts';
import { changeRecord } from '../../records/changeRecord.ts';
import { givenFields, noneIfEmpty } from '../../records/givenFields.ts';
import { findAddableSpaces } from '../site/findAddableSpaces.ts';
import { newWebhookSecret } from './webhookSecret.ts';

/**
 * Creates an endpoint with a secret in the organization of the member.
 *
 * @returns also the secret in plain text, which only this answer shows
 * @throws conflict when the organization has the maximum number of webhooks; invalid_request for a URL that
 *   the platform may not call, or a space of another organization
 */
export async function createWebhook(
  { config, outbound }: Pick<Platform, 'config' | 'outbound'>,
  member: MemberRecord,
  { url, description, events = [], spaces = [], enabled = true }: CreateWebhook,
): Promise<{ webhook: WebhookEndpointRecord; secret: string }> {
  checkAddress(url, outbound);
  await checkSpaces(spaces, member);
  const { organization } = member;
  const id = newId();
  const { secret, sealed } = newWebhookSecret(config.secrets, id);
  const now = new Date();
  const webhook: WebhookEndpointRecord = {
    _id: id,
    organization,
    url,
    description: description || undefined,
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
      // Locks the organization, so that two requests at once cannot exceed the limit.
      await lockTree(organization, session);
      if ((await WebhookEndpoint.countDocuments({ organization }).session(session)) >= maxWebhooks)
        throw full();
      await WebhookEndpoint.create([webhook], { session });
    }),
  );
  return { webhook, secret };
}

/**
 * Changes the given fields. Pending deliveries go to the new URL; when the webhook is disabled, they fail.
 *
 * @throws invalid_request as createWebhook does; a space that the webhook already lists may stay, even if it
 *   was deleted
 */
export async function updateWebhook(
  webhook: WebhookEndpointRecord,
  { url, description, events, spaces, enabled }: UpdateWebhook,
  { outbound, member }: { outbound: Outbound; member: MemberRecord },
): Promise<WebhookEndpointRecord> {
  if (url !== undefined) checkAddress(url, outbound);
  if (spaces) await checkSpaces(new Set(spaces).difference(new Set(webhook.spaces)), member);
  const fields = {
    ...givenFields({ url, description: noneIfEmpty(description), events, spaces }),
    ...(enabled !== undefined && { isEnabled: enabled, disabledReason: undefined }),
    // Earlier failures no longer count: the URL is another one, or the webhook was enabled again.
    ...((enabled || (url !== undefined && url !== webhook.url)) && { failingSince: undefined }),
  };
  const isEmpty = Object.keys(fields).length === 0;
  const changes = isEmpty ? {} : { ...fields, updatedAt: new Date() };
  const changed = await changeRecord<WebhookEndpointRecord>(WebhookEndpoint, webhook, changes);
  if (enabled === false) await failPendingWebhookDeliveries(webhook._id);
  return changed;
}

/** Refuses a URL that is forbidden as written; the addresses of its host are checked at each delivery. */
function checkAddress(url: string, outbound: Outbound): void {
  if (url.includes('#')) throw invalid('body.url', 'must not have a fragment: it would not be sent.');
  try {
    outbound.checkUrl(url);
  } catch (error) {
    if (error instanceof JobError) throw invalid('body.url', error.message);
    throw error;
  }
}

async function checkSpaces(ids: Iterable<string>, member: MemberRecord): Promise<void> {
  await findAddableSpaces([...ids], {
    organization: { _id: member.organization },
    member,
    path: 'body.spaces',
  });
}

function full(): ApiError {
  return new ApiError('conflict', `An organization has at most ${maxWebhooks} webhooks.`, {
    action: 'Delete one that is no longer used, or send more events to one of them.',
  });
}
