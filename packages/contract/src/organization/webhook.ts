import { z } from 'zod';
import { Id, text, WebUrl } from '../input/input.ts';
import { jobErrorCodes, type JobErrorCode } from '../job/jobErrors.ts';

/** The events of a space, by the names that GitBook's integrations know. */
const spaceEventKinds = [
  'space_content_updated',
  'space_visibility_updated',
  'space_gitsync_started',
  'space_gitsync_completed',
] as const;
export type SpaceEventKind = (typeof spaceEventKinds)[number];

/** The events of an organization that belong to no space. */
const organizationEventKinds = ['openapi_version_created'] as const;
export type OrganizationEventKind = (typeof organizationEventKinds)[number];

/** The events that a webhook can be limited to. */
const eventKinds = [...spaceEventKinds, ...organizationEventKinds] as const;
export type EventKind = (typeof eventKinds)[number];

/** All that a webhook receives: events, and the `ping` that a user requests. */
const webhookEventKinds = [...eventKinds, 'ping'] as const;
export type WebhookEventKind = (typeof webhookEventKinds)[number];

/** Maximum number of webhooks per organization, because each event is checked against each of them. */
export const maxWebhooks = 20;
/** Maximum number of spaces that a webhook can be narrowed to. */
const maxSpaces = 100;

const base = {
  eventId: z
    .string()
    .describe('Also the `webhook-id` header: the same at every attempt, to detect duplicates.'),
  timestamp: z.iso.datetime().describe('When it happened.'),
  organizationId: z.string(),
};

const ofSpace = {
  ...base,
  installationId: z.string().describe('Id of the space, as `gitSync` shows it.'),
  spaceId: z.string(),
};

/** The body of a request to a webhook. */
export const WebhookPayload = z
  .discriminatedUnion('type', [
    z.object({
      ...ofSpace,
      type: z.literal('space_content_updated'),
      revisionId: z.string(),
      updatedBy: z.string().describe('Id of the user.'),
    }),
    z.object({
      ...ofSpace,
      type: z.literal('space_visibility_updated'),
      previousVisibility: z.string(),
      visibility: z.string(),
    }),
    z.object({
      ...ofSpace,
      type: z.literal('space_gitsync_started'),
      revisionId: z.string(),
      commitId: z.string().optional(),
    }),
    z.object({
      ...ofSpace,
      type: z.literal('space_gitsync_completed'),
      revisionId: z.string(),
      commitId: z.string().optional(),
      state: z.enum(['success', 'failure']),
    }),
    z.object({
      ...base,
      type: z.literal('openapi_version_created'),
      specId: z.string(),
      specSlug: z.string(),
      versionId: z.string(),
      title: z.string().describe('`info.title` of the document; at most the first 256 characters.'),
      documentVersion: z.string().describe('`info.version` of the document, as short.'),
      previousVersionId: z.string().optional().describe('Absent for the first version.'),
      changes: z
        .object({ breaking: z.int(), warning: z.int(), info: z.int() })
        .optional()
        .describe('Number of changes since the previous version. Absent when they could not be counted.'),
    }),
    z.object({ ...base, type: z.literal('ping'), webhookId: z.string() }),
  ])
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.infer<typeof WebhookPayload>;

const disabledReasons = ['gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof disabledReasons)[number];

const spacesDescription =
  'Ids of spaces: only their events are sent. Empty sends all events, also those that belong to no space.';

const shown = {
  object: z.literal('webhook'),
  id: z.string(),
  url: z.string(),
  description: z.string().optional(),
  events: z.array(z.enum(eventKinds)).describe('Events to send; empty sends all.'),
  spaces: z.array(z.string()).describe(spacesDescription),
  enabled: z.boolean(),
  disabledReason: z
    .enum(disabledReasons)
    .optional()
    .describe('Why the platform disabled it: it answered 410 Gone, or every delivery failed for five days.'),
  failingSince: z.iso.datetime().optional().describe('Time of the first of an unbroken series of failures.'),
  previousSecretExpiresAt: z.iso
    .datetime()
    .optional()
    .describe('Until then requests are also signed with the previous secret.'),
  createdBy: z.string().describe('Id of the user.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  urls: z.object({ location: z.string() }),
};

/** An address that receives events. */
export const Webhook = z.object(shown).meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = z
  .object({
    ...shown,
    secret: z.string().describe('Signing secret: `whsec_` and the key in base64. Shown only in this answer.'),
  })
  .meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

const settings = {
  url: WebUrl.describe(
    'With http or https, without credentials and fragment, at an address that this server is allowed to connect to.',
  ),
  description: text(0, 256),
  events: z
    .array(z.enum(eventKinds))
    .refine(isUnique, 'must not name an event twice')
    .meta({ uniqueItems: true })
    .describe('Events to send; empty sends all.'),
  spaces: z
    .array(Id)
    .max(maxSpaces)
    .refine(isUnique, 'must not name a space twice')
    .meta({ uniqueItems: true })
    .describe(spacesDescription),
  enabled: z.boolean(),
};

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

export const CreateWebhook = z
  .strictObject({
    url: settings.url,
    description: settings.description.optional(),
    events: settings.events.optional(),
    spaces: settings.spaces.optional(),
    enabled: settings.enabled.optional(),
  })
  .meta({ id: 'CreateWebhook' });
export type CreateWebhook = z.infer<typeof CreateWebhook>;

export const UpdateWebhook = z
  .strictObject({
    url: settings.url.optional(),
    description: settings.description.nullable().optional(),
    events: settings.events.optional(),
    spaces: settings.spaces.optional(),
    enabled: settings.enabled.optional().describe('true also clears the reason why it was disabled.'),
  })
  .meta({ id: 'UpdateWebhook' });
export type UpdateWebhook = z.infer<typeof UpdateWebhook>;

const deliveryStates = ['pending', 'succeeded', 'failed'] as const;
export type WebhookDeliveryState = (typeof deliveryStates)[number];

const deliveryFailures = ['attempts_used_up', 'webhook_gone', 'webhook_disabled'] as const;
export type WebhookDeliveryFailure = (typeof deliveryFailures)[number];

export const WebhookAttempt = z
  .object({
    at: z.iso.datetime(),
    durationMs: z.int().min(0),
    status: z.int().optional().describe('HTTP status of the answer, if any.'),
    error: z
      .enum(Object.keys(jobErrorCodes) as [JobErrorCode, ...JobErrorCode[]])
      .optional()
      .describe('Error if there was no answer.'),
  })
  .meta({ id: 'WebhookAttempt' });
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

const delivery = {
  object: z.literal('webhook-delivery'),
  id: z.string(),
  webhook: z.string().describe('Id of the webhook.'),
  event: z.string().describe('Id of the event: the `webhook-id` header.'),
  type: z.enum(webhookEventKinds),
  space: z.string().optional().describe('Id of the space that the event is about.'),
  isTest: z.boolean(),
  state: z.enum(deliveryStates),
  failedBecause: z
    .enum(deliveryFailures)
    .optional()
    .describe('For a failed delivery: no attempt is left, the webhook answered 410 Gone, or it is disabled.'),
  createdAt: z.iso.datetime(),
  nextAttemptAt: z.iso.datetime().optional().describe('While it is pending.'),
  finishedAt: z.iso.datetime().optional(),
  lastAttempt: WebhookAttempt.optional(),
  urls: z.object({ location: z.string() }),
};

export const WebhookDelivery = z.object(delivery).meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryDetails = z
  .object({
    ...delivery,
    attempts: z.array(WebhookAttempt).describe('The last 20 attempts, oldest first.'),
    payload: z.string().describe('The body as it is signed and sent.'),
  })
  .meta({ id: 'WebhookDeliveryDetails' });
export type WebhookDeliveryDetails = z.infer<typeof WebhookDeliveryDetails>;

export const WebhookDeliveriesQuery = z.object({
  state: z.enum(deliveryStates).optional().describe('Only those in this state.'),
});
