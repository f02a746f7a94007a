import {
  CustomHostname,
  HostnameCertificate,
  type HostnameCertificateRecord,
  type OrganizationRecord,
  type SiteRecord,
} from '@bindery/models';

/** Stores a proven claim to a hostname, with the record of its certificate. */
export async function buildClaim({
  organization: { _id: organization },
  site: { _id: site },
  hostname,
  certificate,
}: {
  organization: OrganizationRecord;
  site: SiteRecord;
  hostname: string;
  certificate?: Partial<HostnameCertificateRecord>;
}): Promise<void> {
  const now = new Date();
  await CustomHostname.create({
    ...{ _id: `${hostname}/${organization}`, hostname, organization, site },
    ...{ status: 'live', provenAt: now, isActive: true, checkedAt: now },
    ...{ nextCheckAt: new Date(now.getTime() + 86_400_000), createdBy: 'somebody', createdAt: now },
  });
  await HostnameCertificate.create({ _id: hostname, nextAttemptAt: now, ...certificate });
}
