import { Id, notFound } from '@bindery/contract';
import {
  WebhookDelivery,
  WebhookEndpoint,
  type WebhookDeliveryRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import { inOrganization } from '../organization/organization.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/** An address that an organization's events are sent to: a matter of its admins. */
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

/** What was, or is going to be, sent there. */
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
