import type { Organization } from '@bindery/contract';
import type { MemberRecord, OrganizationRecord } from '@bindery/models';
import { organizationPermissions } from '../../permissions/organization.ts';
import { apiUrl, appUrl } from '../../platform.ts';
import { presentEmailDomains } from './emailDomains.ts';

/** @param member  the caller; undefined is somebody who could join */
export function presentOrganization(
  organization: OrganizationRecord,
  member: Pick<MemberRecord, 'role' | 'teams'> | undefined,
): Organization {
  const permissions = organizationPermissions(member);
  const { _id: id, title, emailDomains, hostname, defaultRole, defaultContent, logo, createdAt } = organization;
  return {
    object: 'organization',
    id,
    title,
    createdAt: createdAt.toISOString(),
    emailDomains,
    ...(permissions.admin && { emailDomainVerification: presentEmailDomains(organization) }),
    ...(hostname !== undefined && { hostname }),
    type: 'business',
    defaultRole,
    ...(defaultContent && { defaultContent }),
    sso: organization.sso ?? false,
    ai: organization.ai ?? false,
    inviteLinks: organization.inviteLinks ?? true,
    plan: 'enterprise_2024',
    mergeRules: { type: 'none' },
    trial: { status: 'notapplicable', count: 0 },
    internal_isOnNewTrial: true,
    urls: { location: apiUrl(`/orgs/${id}`), app: appUrl(`/o/${id}`), ...(logo !== undefined && { logo }) },
    permissions,
  };
}
