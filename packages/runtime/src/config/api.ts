import { z } from 'zod';
import { commaList, flag, whole } from './parsers.ts';

/** Host names such as `docs.example.com`, because only a bare host can match the `proxy` of a site. */
const hostList = commaList
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .superRefine((hosts, context) => {
    for (const host of hosts.filter((one) => !/^([\w-]+\.)+[a-z]{2,}$/.test(one)))
      context.addIssue(
        `must be host names such as docs.example.com, without scheme, port, path or *; ${host} is none`,
      );
  });

export const api = {
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the API, the app `site` and the health endpoint of a worker listen on.'),
  PORT: whole(0, 65535, 3000).describe('Port that the API listens on; 0 takes a free one.'),
  BINDERY_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Origin under which users reach the API, without `/v1`. Default: `http://HOST:PORT`.'),
  BINDERY_APP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Origin of the application, to which `urls.app` points. Default: the public URL.'),
  BINDERY_SITES_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Origin of published sites: those without a hostname of their own are published below it. ' +
        'They show what members write, so give them a host of their own. ' +
        "GitBook's reader takes no URL with a port. Default: the URL of the application.",
    ),
  BINDERY_SITE_PORT: whole(0, 65535, 3002).describe(
    'Port that the app `site` listens on, at the address `HOST`; 0 takes a free one.',
  ),
  BINDERY_SITE_FONTS: z
    .string()
    .optional()
    .describe(
      'Folder of fonts for social cards with Chinese, Japanese, Korean, Arabic, Hebrew or Thai titles, as `bindery fonts --to DIR` makes it. `npm start` uses the fonts of PDFs; without fonts, such pages have no card.',
    ),
  BINDERY_TRUST_PROXY: commaList.describe(
    'Addresses or CIDR ranges of trusted reverse proxies, whose `X-Forwarded-*` headers are used, separated by commas.',
  ),
  BINDERY_PROVEN_HOSTS: hostList.describe(
    'Host names, without port and path, that need no verification in the `proxy` of a site, separated by commas. Each belongs to the first organization that uses it.',
  ),
  BINDERY_SINGLE_COMPANY: flag
    .default(false)
    .describe(
      'Whether all organizations belong to one trusted company. Then admins add users without their consent, and people join by e-mail domains that are listed, without verification. If there is a single organization, its SAML providers also sign in as any user; with several, each signs in as users of verified domains, and as members who have agreed.',
    ),
  BINDERY_API_MAX_CONNECTIONS: whole(1, 100_000, 2_000).describe(
    'Maximum open connections of an API process. At most three quarters of them can follow jobs, and four fifths of those the jobs of one organization.',
  ),
  BINDERY_RATE_LIMIT_POINTS: whole(0, 1_000_000_000, 0).describe(
    'Points per token and minute: a read costs 1, a write or a search 5, starting a job or asking a git server 20, reading jobs none. 0 disables the limit.',
  ),
  BINDERY_QUEUE_DASHBOARD_WRITABLE: flag
    .default(false)
    .describe('Whether `/admin/queues` allows retrying jobs.'),
};

export const logging = {
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe line that is logged.'),
};

export const outbound = {
  BINDERY_OUTBOUND_ALLOW: commaList.describe(
    'Private addresses that outbound requests may connect to, as `host:port` or CIDR, separated by commas. All other private addresses are refused.',
  ),
  BINDERY_OUTBOUND_CA: z
    .string()
    .optional()
    .describe('File with further certificate authorities (PEM) for git servers and other remotes.'),
};
