import { Id, notFound, type Role } from '@bindery/contract';
import {
  Organization,
  Site,
  type MemberRecord,
  type OrganizationRecord,
  type SiteRecord,
} from '@bindery/models';
import type { Visitor } from '@bindery/publishing';
import type { Reader } from '../../http/actor.ts';
import { forReaders } from '../../http/scope.ts';
import { roleInSite } from '../../permissions/access.ts';
import { qualified } from '../../permissions/role.ts';
import { sitePermissions } from '../../permissions/site.ts';
import { findOwnMember } from '../../records/ownMember.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/** A site that the member may see; for others it does not exist. */
export const inSite = inOrganization.scope({
  name: 'Site',
  path: '/sites/:siteId',
  params: { siteId: Id },
  load: async ({ organization, member, params }) => {
    const site = await findSite(organization._id, params.siteId);
    const role = site ? roleInSite({ member, access: site.access }) : null;
    if (!site || !role) throw notFound('site', params.siteId);
    return { site, role };
  },
  permissions: ({ role }) => qualified('site', sitePermissions({ role })),
  version: ({ site }) => versionOf(Site, { _id: site._id }),
});

/** A site for reads that its visitors may perform too. A visitor has the role `read`, and no `member`. */
export const inReadableSite = forReaders.scope({
  name: 'Site',
  path: '/orgs/:organizationId/sites/:siteId',
  params: { organizationId: Id, siteId: Id },
  load: async ({ reader, params }) => loadReadableSite(reader, params),
  permissions: ({ role }) => qualified('site', sitePermissions({ role })),
});

async function loadReadableSite(
  reader: Reader,
  { organizationId, siteId }: { organizationId: string; siteId: string },
): Promise<{
  organization: OrganizationRecord;
  site: SiteRecord;
  role: Role;
  member: MemberRecord | undefined;
  visitor: Visitor | undefined;
}> {
  const { actor, visitor } = reader;
  const isTheirs = !visitor || (visitor.organization === organizationId && visitor.site === siteId);
  const loading = isTheirs
    ? Organization.findById(organizationId).lean<OrganizationRecord>().exec()
    : Promise.resolve(null);
  const [organization, member] = await Promise.all([
    loading,
    actor && findOwnMember(actor, organizationId, loading),
  ]);
  if (!organization || (actor && (!member || member.limit?.spaces)))
    throw notFound('organization', organizationId);
  const site = await findSite(organizationId, siteId);
  const role = visitor ? 'read' : site && member && roleInSite({ member, access: site.access });
  if (!site || !role || visitor?.isAdmitted === false) throw notFound('site', siteId);
  return { organization, site, role, member, visitor };
}

async function findSite(organization: string, id: string): Promise<SiteRecord | null> {
  return Site.findOne({ _id: id, organization }).lean<SiteRecord>();
}
