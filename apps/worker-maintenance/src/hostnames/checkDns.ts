import { isIP } from 'node:net';
import type { CustomHostnameStatus } from '@bindery/contract';
import type { DnsRecords } from '@bindery/outbound';
import type { Config } from '@bindery/runtime';

export type DnsStatus = Extract<CustomHostnameStatus, `dns_${string}`>;

/**
 * Checks whether DNS leads from a hostname to the platform: by an alias of `cname`, or with the same
 * addresses, as providers do that resolve an alias themselves. CAA records must permit an authority of
 * `caaIssuers`, unless that is empty.
 *
 * @returns undefined when DNS does not answer
 */
export async function checkDns(
  hostname: string,
  { records, cname, caaIssuers }: { records: DnsRecords } & Config['hostnames'],
  signal: AbortSignal,
): Promise<DnsStatus | undefined> {
  const aliases = await records.aliases(hostname, signal);
  if (!aliases?.some((alias) => alias.toLowerCase() === cname)) {
    const [own, wanted] = await Promise.all([
      records.addresses(hostname, signal),
      isIP(cname) ? [cname] : records.addresses(cname, signal),
    ]);
    if (!own || !wanted) return undefined;
    const isSame = own.length > 0 && own.every((address) => wanted.includes(address));
    const isAbsent = own.length === 0 && !aliases?.length;
    if (!isSame) return isAbsent ? 'dns_no_cname' : 'dns_wrong_cname';
  }
  if (caaIssuers.length === 0) return 'dns_passed';
  const permitted = await records.issuers(hostname, signal);
  return !permitted || caaIssuers.some((issuer) => permitted.includes(issuer))
    ? 'dns_passed'
    : 'dns_wrong_caa';
}
