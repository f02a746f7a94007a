import type { Role } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/** A SAML identity provider through which members of an organization sign in. */
export type SamlProviderRecord = {
  _id: string;
  organization: string;
  label: string;
  /** Name of the provider, as its answers carry it. */
  entityID?: string;
  /** Checks the signature of its answers: as it was given, PEM or base64. */
  certificate?: string;
  /** Where users are sent to sign in. */
  ssoURL?: string;
  /** What somebody gets who signs in for the first time; a guest without a role. */
  defaultTeam?: string;
  defaultRole: Role | null;
  /** `active` while everything that signing in takes is set. */
  status: 'active' | 'pending';
  version: number;
  createdAt: Date;
};

const schema = new Schema<SamlProviderRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    label: { type: String, required: true },
    entityID: String,
    certificate: String,
    ssoURL: String,
    defaultTeam: String,
    defaultRole: { type: String, default: null },
    status: { type: String, required: true },
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'samlProviders', versionKey: false },
);
schema.index({ organization: 1, createdAt: -1, _id: -1 });
schema.index({ organization: 1, status: 1, createdAt: -1, _id: -1 });
schema.index({ defaultTeam: 1 }, { partialFilterExpression: { defaultTeam: { $exists: true } } });

export const SamlProvider = mongoose.model('SamlProvider', schema);

/**
 * Whether members of an organization can sign in through one of its providers.
 *
 * Who turns `sso` on asks this in the transaction that writes the organization: what takes the last provider away writes it too, so that of two
 * such transactions the later one starts again.
 */
export async function hasActiveSamlProvider(organization: string, session: ClientSession): Promise<boolean> {
  return (await SamlProvider.exists({ organization, status: 'active' }).session(session)) !== null;
}
