import { isIP } from 'node:net';
import { z } from 'zod';
import { commaList, whole } from './parsers.ts';

const hostName = /^([a-z0-9-]+\.)+[a-z0-9-]+$/i;

/** `address` or `address:port`, with brackets around an IPv6 address that has a port. */
const dnsServers = commaList.superRefine((servers, context) => {
  for (const server of servers.filter((one) => !isDnsServer(one)))
    context.addIssue(`must be IP addresses with or without a port, such as 10.0.0.2:53; ${server} is none`);
});

function isDnsServer(text: string): boolean {
  return isIP(text) !== 0 || isIP(text.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1')) !== 0;
}

export const hostnames = {
  BINDERY_SITE_CNAME: z
    .string()
    .regex(hostName, 'must be a host name such as sites.example.com')
    .toLowerCase()
    .optional()
    .describe(
      'Host name to which custom hostnames of sites point, by a CNAME record or by the same addresses. Default: the host of `BINDERY_SITES_URL`.',
    ),
  BINDERY_DNS_SERVERS: dnsServers.describe(
    "DNS servers for checks of hostnames and domains, as `address` or `address:port`, separated by commas. Default: the system's.",
  ),
  BINDERY_CAA_ISSUERS: commaList.describe(
    'Names under which CAA records permit your certificate authority, such as `letsencrypt.org`, separated by commas. Empty: CAA records are not checked.',
  ),
  BINDERY_SITE_TLS_PORT: whole(0, 65535, 0).describe(
    'Port on which the app `site` serves custom hostnames with the certificates that the platform has got; 0: none, a proxy in front ends TLS.',
  ),
  BINDERY_ACME_DIRECTORY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Directory of a certificate authority with ACME, such as `https://acme-v02.api.letsencrypt.org/directory`. Empty: the platform gets no certificates.',
    ),
  BINDERY_ACME_EMAIL: z.email().optional().describe('E-mail address that the authority may write to.'),
};
