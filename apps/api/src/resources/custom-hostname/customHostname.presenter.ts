import type { CustomHostname } from '@bindery/contract';
import { siteHostProof, type CustomHostnameRecord } from '@bindery/models';
import type { Platform } from '../../platform.ts';

export function presentCustomHostname(
  { hostname, organization, site, status, provenAt, isActive, createdAt, checkedAt }: CustomHostnameRecord,
  { config, links }: Pick<Platform, 'config' | 'links'>,
): CustomHostname {
  const { name, value } = siteHostProof({ host: hostname, organization });
  return {
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site },
    isActive,
    status,
    createdAt: createdAt.toISOString(),
    checkedAt: checkedAt?.toISOString(),
    verification: { status: provenAt ? 'verified' : 'pending', record: { type: 'TXT', name, value } },
    cname: config.hostnames.cname,
    urls: { location: links.api(`/custom-hostnames/${hostname}`) },
  };
}
