import {
  CreateWebhook,
  maxWebhooks,
  UpdateWebhook,
  Webhook,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookWithSecret,
} from '@bindery/contract';
import {
  singleWrite,
  WebhookDelivery as WebhookDeliveryModel,
  WebhookEndpoint,
  type WebhookDeliveryRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { findPage } from '../findPage.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { createWebhook, updateWebhook } from './saveWebhook.ts';
import { redeliver, sendPing } from './startDelivery.ts';
import { presentDelivery, presentDeliveryDetails, presentWebhook } from './webhook.presenter.ts';
import { inWebhook, inWebhookDelivery } from './webhook.scope.ts';
import { rotateWebhookSecret } from './webhookSecret.ts';

export const webhookRoutes = [
  inOrganization.list(
    '/webhooks',
    {
      operationId: 'listWebhooks',
      summary: 'List the webhooks of an organization',
      permission: 'organization.admin',
      tags: ['Webhook'],
      item: Webhook,
    },
    async ({ organization, query }) => {
      const { rows, ...page } = await findPage<WebhookEndpointRecord>(WebhookEndpoint, { organization: organization._id }, query);
      return { ...page, items: rows.map((webhook) => presentWebhook(webhook)) };
    },
  ),

  inOrganization.post(
    '/webhooks',
    {
      operationId: 'createWebhook',
      summary: 'Have events sent to an address',
      description:
        'Requests are signed as Standard Webhooks says, with the secret that this answer shows and no other. ' +
        `An organization has at most ${maxWebhooks} webhooks.`,
      permission: 'organization.admin',
      tags: ['Webhook'],
      body: CreateWebhook,
      response: WebhookWithSecret,
      status: 201,
      idempotent: true,
    },
    async ({ member, body }) => {
      const { webhook, secret } = await createWebhook(member, body);
      return { ...presentWebhook(webhook), secret };
    },
  ),

  inWebhook.get(
    '',
    {
      operationId: 'getWebhookById',
      summary: 'Get a webhook',
      permission: 'organization.admin',
      response: Webhook,
      etag: true,
    },
    async ({ webhook, reply }) => {
      reply.version(webhook.version);
      return presentWebhook(webhook);
    },
  ),

  inWebhook.patch(
    '',
    {
      operationId: 'updateWebhookById',
      summary: 'Change what a webhook is sent, or where, or switch it on or off',
      description: 'What is pending is sent to the new address; where a webhook is switched off, it has failed.',
      permission: 'organization.admin',
      body: UpdateWebhook.default({}),
      response: Webhook,
      etag: true,
    },
    async ({ webhook, member, body, reply }) => {
      const changed = await updateWebhook(webhook, body, member);
      reply.version(changed.version);
      return presentWebhook(changed);
    },
  ),

  inWebhook.delete(
    '',
    {
      operationId: 'deleteWebhookById',
      summary: 'Delete a webhook with its deliveries',
      permission: 'organization.admin',
    },
    async ({ webhook: { _id } }) => {
      await singleWrite((session) => WebhookEndpoint.deleteOne({ _id }, { session }));
      // Nobody sees them any more, and they would expire: there may be too many for one transaction.
      await WebhookDeliveryModel.deleteMany({ endpoint: _id });
    },
  ),

  inWebhook.post(
    '/secret',
    {
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook by a new one',
      description: 'For 24 hours requests are signed with the secret before as well.',
      permission: 'organization.admin',
      response: WebhookWithSecret,
      idempotent: true,
    },
    async ({ webhook }) => {
      const { webhook: changed, secret } = await rotateWebhookSecret(webhook);
      return { ...presentWebhook(changed), secret };
    },
  ),

  inWebhook.post(
    '/ping',
    {
      operationId: 'pingWebhook',
      summary: 'Send a test event to a webhook',
      description: 'It is sent whatever events the webhook is for, and tried once. The delivery that is answered tells how that went.',
      permission: 'organization.admin',
      response: WebhookDelivery,
      status: 201,
      idempotent: true,
    },
    async ({ webhook }) => presentDelivery(await sendPing(webhook)),
  ),

  inWebhook.list(
    '/deliveries',
    {
      operationId: 'listWebhookDeliveries',
      summary: 'List what was sent to a webhook, and what is going to be',
      description: 'Of the last 30 days.',
      permission: 'organization.admin',
      query: WebhookDeliveriesQuery,
      item: WebhookDelivery,
    },
    async ({ webhook, query }) => {
      const filter = { endpoint: webhook._id, ...(query.state && { state: query.state }) };
      const { rows, ...page } = await findPage<WebhookDeliveryRecord>(WebhookDeliveryModel, filter, query);
      return { ...page, items: rows.map(presentDelivery) };
    },
  ),

  inWebhookDelivery.get(
    '',
    {
      operationId: 'getWebhookDeliveryById',
      summary: 'Get a delivery with its payload and its attempts',
      permission: 'organization.admin',
      response: WebhookDeliveryDetails,
    },
    async ({ delivery }) => presentDeliveryDetails(delivery),
  ),

  inWebhookDelivery.post(
    '/redeliver',
    {
      operationId: 'redeliverWebhookDelivery',
      summary: 'Send a delivery again',
      description:
        'With the same `webhook-id` and as many attempts as the first time. One that waits for its next attempt is tried at once.',
      permission: 'organization.admin',
      response: WebhookDelivery,
      idempotent: true,
    },
    async ({ delivery }) => presentDelivery(await redeliver(delivery)),
  ),
];
