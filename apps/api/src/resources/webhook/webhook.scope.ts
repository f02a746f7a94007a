import { Id, notFound } from '@bindery/contract';
import {
  WebhookDelivery,
  WebhookEndpoint,
  type WebhookDeliveryRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { inOrganization } from '../organization/organization.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/** An endpoint that receives events of an organization, for its admins. */
export const inWebhook = inOrganization.scope({
  name: 'Webhook',
  path: '/webhooks/:webhookId',
  params: { webhookId: Id },
  load: async ({ organization, params }) => {
    const webhook = await WebhookEndpoint.findOne({
      _id: params.webhookId,
      organization: organization._id,
    }).lean<WebhookEndpointRecord>();
    if (!webhook) throw notFound('webhook', params.webhookId);
    return { webhook };
  },
  permissions: () => ({}),
  version: ({ webhook }) => versionOf(WebhookEndpoint, { _id: webhook._id }),
});

/** A past or pending delivery to the webhook. */
export const inWebhookDelivery = inWebhook.scope({
  name: 'Webhook',
  path: '/deliveries/:deliveryId',
  params: { deliveryId: Id },
  load: async ({ webhook, params }) => {
    const delivery = await WebhookDelivery.findOne({
      _id: params.deliveryId,
      endpoint: webhook._id,
    }).lean<WebhookDeliveryRecord>();
    if (!delivery) throw notFound('delivery of this webhook', params.deliveryId);
    return { delivery };
  },
  permissions: () => ({}),
});
