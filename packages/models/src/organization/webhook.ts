import type { EventKind, WebhookDisabledReason } from '@bindery/contract';
import type { SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { sealedSecretSchema } from '../database/sealedSecret.ts';

/** An address of an organization that receives events, signed by the Standard Webhooks specification. */
export type WebhookEndpointRecord = {
  _id: string;
  organization: string;
  url: string;
  description?: string;
  /** Events to send; empty sends all. A `ping` is always sent. */
  events: EventKind[];
  /**
   * Ids of the spaces whose events are sent, and no other events; empty sends all. The id of a deleted space
   * stays: an empty list would send all events.
   */
  spaces: string[];
  /** `whsec_` and the base64 of 32 random bytes, sealed for `webhookSealContext(_id)`. */
  secret: SealedSecret;
  /** The previous secret, sealed alike: until it expires, requests are also signed with it. */
  previousSecret?: { sealed: SealedSecret; expiresAt: Date };
  isEnabled: boolean;
  /** Why the deliverer disabled it; absent when an admin did. */
  disabledReason?: WebhookDisabledReason;
  /**
   * Time of the first failure since the last success. Unset by a success, and when an admin enables the
   * endpoint again.
   */
  failingSince?: Date;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  /** Counts the changes by callers, for `If-Match`. The deliverer's writes do not count. */
  version: number;
};

/** The context for sealing the secrets of an endpoint. */
export function webhookSealContext(endpointId: string): string {
  return `webhook:${endpointId}`;
}

const endpointSchema = new Schema<WebhookEndpointRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    url: { type: String, required: true },
    description: String,
    events: { type: [String], default: [] } as never,
    spaces: { type: [String], default: [] },
    secret: { type: sealedSecretSchema, required: true } as never,
    previousSecret: new Schema({ sealed: sealedSecretSchema, expiresAt: Date }, { _id: false }) as never,
    isEnabled: { type: Boolean, default: true },
    disabledReason: String,
    failingSince: Date,
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    version: { type: Number, default: 1 },
  },
  { collection: 'webhookEndpoints', versionKey: false },
);
endpointSchema.index({ organization: 1, createdAt: -1, _id: -1 });
endpointSchema.index({ failingSince: 1 }, { partialFilterExpression: { failingSince: { $exists: true } } });

export const WebhookEndpoint = mongoose.model('WebhookEndpoint', endpointSchema);
