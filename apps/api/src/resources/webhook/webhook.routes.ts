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
import { findPage } from '../../records/findPage.ts';
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
    async ({ platform: { links }, organization, query }) => {
      const { rows, ...page } = await findPage<WebhookEndpointRecord>(
        WebhookEndpoint,
        { organization: organization._id },
        query,
      );
      return { ...page, items: rows.map((webhook) => presentWebhook(webhook, links)) };
    },
  ),

  inOrganization.post(
    '/webhooks',
    {
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Requests are signed according to Standard Webhooks. Only this answer shows the secret. ' +
        `An organization has at most ${maxWebhooks} webhooks.`,
      permission: 'organization.admin',
      tags: ['Webhook'],
      body: CreateWebhook,
      response: WebhookWithSecret,
      status: 201,
      idempotent: true,
    },
    async ({ platform, member, body }) => {
      const { links } = platform;
      const { webhook, secret } = await createWebhook(platform, member, body);
      return { ...presentWebhook(webhook, links), secret };
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
    async ({ platform: { links }, webhook, reply }) => {
      reply.version(webhook.version);
      return presentWebhook(webhook, links);
    },
  ),

  inWebhook.patch(
    '',
    {
      operationId: 'updateWebhookById',
      summary: 'Change the events or the URL of a webhook, enable or disable it',
      description: 'Pending deliveries are sent to the new URL; if the webhook is disabled, they fail.',
      permission: 'organization.admin',
      body: UpdateWebhook.default({}),
      response: Webhook,
      etag: true,
    },
    async ({ platform: { links, outbound }, webhook, member, body, reply }) => {
      const changed = await updateWebhook(webhook, body, { outbound, member });
      reply.version(changed.version);
      return presentWebhook(changed, links);
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
      // Deleted after the webhook and outside of the transaction, as there may be too many; without the
      // webhook they are invisible, and they expire.
      await WebhookDeliveryModel.deleteMany({ endpoint: _id });
    },
  ),

  inWebhook.post(
    '/secret',
    {
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description: 'For 24 hours requests are also signed with the previous secret.',
      permission: 'organization.admin',
      response: WebhookWithSecret,
      idempotent: true,
    },
    async ({ platform: { config, links }, webhook }) => {
      const { webhook: changed, secret } = await rotateWebhookSecret(config.secrets, webhook);
      return { ...presentWebhook(changed, links), secret };
    },
  ),

  inWebhook.post(
    '/ping',
    {
      operationId: 'pingWebhook',
      summary: 'Send a test event to a webhook',
      description:
        'Sent once, regardless of the events of the webhook. The returned delivery contains the result.',
      permission: 'organization.admin',
      response: WebhookDelivery,
      status: 201,
      idempotent: true,
    },
    async ({ platform: { links }, webhook }) => presentDelivery(await sendPing(webhook), links),
  ),

  inWebhook.list(
    '/deliveries',
    {
      operationId: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook',
      description: 'Of the last 30 days, including pending ones.',
      permission: 'organization.admin',
      query: WebhookDeliveriesQuery,
      item: WebhookDelivery,
    },
    async ({ platform: { links }, webhook, query }) => {
      const filter = { endpoint: webhook._id, ...(query.state && { state: query.state }) };
      const { rows, ...page } = await findPage<WebhookDeliveryRecord>(WebhookDeliveryModel, filter, query);
      return { ...page, items: rows.map((delivery) => presentDelivery(delivery, links)) };
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
    async ({ platform: { links }, delivery }) => presentDeliveryDetails(delivery, links),
  ),

  inWebhookDelivery.post(
    '/redeliver',
    {
      operationId: 'redeliverWebhookDelivery',
      summary: 'Send a delivery again',
      description:
        'Uses the same `webhook-id` and the same number of attempts. A delivery that waits for its next attempt is tried at once.',
      permission: 'organization.admin',
      response: WebhookDelivery,
      idempotent: true,
    },
    async ({ platform: { links }, delivery }) => presentDelivery(await redeliver(delivery), links),
  ),
];
