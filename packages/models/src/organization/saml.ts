import type { Role } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';
import { effectiveDomainsField, type DomainRule } from './emailDomains.ts';
import { Organization } from './organization.ts';

/** A SAML identity provider through which members of an organization sign in. */
export type SamlProviderRecord = {
  _id: string;
  organization: string;
  label: string;
  /** The provider's name in its answers. */
  entityID?: string;
  /** Verifies the provider's signatures; PEM or base64, as given. */
  certificate?: string;
  /** Where users are sent to sign in. */
  ssoURL?: string;
  /** Team and role of a user who signs in for the first time; without a role, a guest. */
  defaultTeam?: string;
  defaultRole: Role | null;
  /** `active` when all settings needed for signing in are set. */
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

const maxProviders = 20;

/**
 * Lists the providers that sign in users of an e-mail domain: the active ones of the organizations that have
 * it.
 *
 * @param rule  which of the domains take effect
 */
export async function findProvidersOfDomain(domain: string, rule: DomainRule): Promise<SamlProviderRecord[]> {
  const organizations = await Organization.find({ [effectiveDomainsField(rule)]: domain }, { _id: 1 })
    .limit(maxProviders)
    .lean<{ _id: string }[]>();
  const ids = organizations.map(({ _id }) => _id);
  return SamlProvider.find({ organization: { $in: ids }, status: 'active' })
    .sort({ organization: 1, createdAt: -1, _id: -1 })
    .limit(maxProviders)
    .lean<SamlProviderRecord[]>();
}

/**
 * Whether members of an organization can sign in through one of its providers.
 *
 * Call it in the transaction that turns `sso` on and writes the organization: removing the last provider
 * writes it too, so that the later of two such transactions starts again.
 */
export async function hasActiveSamlProvider(organization: string, session: ClientSession): Promise<boolean> {
  return (await SamlProvider.exists({ organization, status: 'active' }).session(session)) !== null;
}
