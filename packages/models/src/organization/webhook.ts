import type { SpaceEventKind, WebhookDisabledReason } from '@bindery/contract';
import type { SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { sealedSecretSchema } from './sealedSecret.ts';

/** An address of an organization that events are sent to, signed as Standard Webhooks says. */
export type WebhookEndpointRecord = {
  _id: string;
  organization: string;
  url: string;
  description?: string;
  /** Events to send; empty sends all. A `ping` is sent whatever stands here. */
  events: SpaceEventKind[];
  /** Ids of the spaces whose events are sent; empty sends those of all spaces. A space may be gone by now: its id stays, or the last one to go would open it for all. */
  spaces: string[];
  /** `whsec_` and the base64 of 32 random bytes, sealed for `webhookSealContext(_id)`. */
  secret: SealedSecret;
  /** The one before, sealed alike: requests carry a signature with it too until it expires. */
  previousSecret?: { sealed: SealedSecret; expiresAt: Date };
  isEnabled: boolean;
  /** Why the deliverer has switched it off; absent where an admin has. */
  disabledReason?: WebhookDisabledReason;
  /** Time of the first of the failures after the last success. Taken away by a success, and when an admin enables it again. */
  failingSince?: Date;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  /** Counts the changes that callers made, for `If-Match`. What the deliverer writes does not count. */
  version: number;
};

/** What the secrets of an endpoint are sealed for. */
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

export const WebhookEndpoint = mongoose.model('WebhookEndpoint', endpointSchema);
