import { z } from 'zod';

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Without TLS, anybody on the way could sign in as anybody. */
const issuer = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with https://' })
  .refine(
    (url) => !/[?#]|\/\/[^/]*@/.test(url) && !url.includes('/.well-known/'),
    'must be the issuer itself, without user name, query, fragment and `/.well-known/`',
  )
  .refine((url) => {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || loopback.has(hostname);
  }, 'must begin with https:// unless it is on this machine')
  .optional();

export const openId = {
  BINDERY_OIDC_ISSUER: issuer.describe(
    'Issuer of the OpenID Connect provider through which people sign in to the console, such as `https://accounts.example.org/realms/main` (docs/single-sign-on.md). It may have a private address without being in `BINDERY_OUTBOUND_ALLOW`.',
  ),
  BINDERY_OIDC_CLIENT_ID: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Client id of the console at that provider.'),
  BINDERY_OIDC_CLIENT_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must be printable ASCII characters without spaces')
    .optional()
    .describe('Client secret of the console there.'),
  BINDERY_OIDC_LABEL: z
    .string()
    .min(1)
    .max(30)
    .default('single sign-on')
    .describe('Name of the provider on the sign-in page: *Continue with ...*.'),
};

type OpenIdVariables = z.output<z.ZodObject<typeof openId>>;

/** Adds the problems that the variables have only together, each to the variable to change. */
export function checkOpenId(env: OpenIdVariables, context: z.RefinementCtx): void {
  const names = ['BINDERY_OIDC_ISSUER', 'BINDERY_OIDC_CLIENT_ID', 'BINDERY_OIDC_CLIENT_SECRET'] as const;
  if (names.every((name) => env[name] === undefined)) return;
  for (const name of names)
    if (env[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is not set' });
}

/** The provider as configured; undefined without one. */
export function openIdOf({
  BINDERY_OIDC_ISSUER: url,
  BINDERY_OIDC_CLIENT_ID: clientId,
  BINDERY_OIDC_CLIENT_SECRET: clientSecret,
  BINDERY_OIDC_LABEL: label,
}: OpenIdVariables) {
  if (url === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer: url, clientId, clientSecret, label };
}
