import { Member, Organization } from '../organization/organization.ts';
import { SamlProvider, type SamlProviderRecord } from '../organization/saml.ts';

const most = 20;

/** A provider through which a user must sign in to reach an organization. */
export type RequiredSignIn = { organization: string; provider: string; label: string };

/** Lists the organizations of a user that require single sign-on of the user, with their providers. */
export async function findRequiredSignIns(user: string): Promise<RequiredSignIn[]> {
  const members = await Member.find({ user, sso: true }, { organization: 1 })
    .limit(most)
    .lean<{ organization: string }[]>();
  const ids = members.map(({ organization }) => organization);
  if (ids.length === 0) return [];
  const requiring = await Organization.find({ _id: { $in: ids }, sso: true }, { title: 1 })
    .sort({ _id: 1 })
    .lean<{ _id: string; title: string }[]>();
  const titles = new Map(requiring.map(({ _id, title }) => [_id, title]));
  const providers = await SamlProvider.find({ organization: { $in: [...titles.keys()] }, status: 'active' })
    .sort({ organization: 1, createdAt: -1, _id: -1 })
    .limit(most)
    .lean<SamlProviderRecord[]>();
  return providers.map(({ _id: provider, organization, label }) => ({
    organization: titles.get(organization) ?? organization,
    provider,
    label,
  }));
}
