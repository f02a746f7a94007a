import type { Organization } from '@bindery/contract';
import { domainRuleOf, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import { organizationPermissions } from '../../permissions/organization.ts';
import type { Platform } from '../../platform.ts';
import { presentEmailDomains } from './emailDomains.ts';

export type OrganizationView = {
  platform: Pick<Platform, 'config' | 'links'>;
  /** The caller; undefined for a user who may join. */
  member: Pick<MemberRecord, 'role' | 'teams'> | undefined;
};

export function presentOrganization(
  organization: OrganizationRecord,
  { platform: { config, links }, member }: OrganizationView,
): Organization {
  const permissions = organizationPermissions(member);
  const {
    _id: id,
    title,
    emailDomains,
    hostname,
    defaultRole,
    defaultContent,
    logo,
    createdAt,
  } = organization;
  return {
    object: 'organization',
    id,
    title,
    createdAt: createdAt.toISOString(),
    emailDomains,
    emailDomainVerification: permissions.admin
      ? presentEmailDomains({ organization, domainRule: domainRuleOf(config) })
      : undefined,
    hostname,
    type: 'business',
    defaultRole,
    defaultContent,
    sso: organization.sso ?? false,
    ai: organization.ai ?? false,
    inviteLinks: organization.inviteLinks ?? true,
    plan: 'enterprise_2024',
    mergeRules: { type: 'none' },
    trial: { status: 'notapplicable', count: 0 },
    internal_isOnNewTrial: true,
    urls: {
      location: links.api(`/orgs/${id}`),
      app: links.app(`/o/${id}`),
      logo,
    },
    permissions,
  };
}
