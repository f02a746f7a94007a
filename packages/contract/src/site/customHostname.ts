import { z } from 'zod';
import { Id, text } from '../input/input.ts';

/** `SiteHostname` of the official document: at least three labels, so that a CNAME record may stand there. */
const hostnameShape = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;
const maxHostnameLength = 253;

/**
 * Writes a hostname as DNS has it: in lower case, other scripts than Latin in Punycode. A text that is no
 * hostname stays as it is.
 */
export function normalizeHostname(given: string): string {
  // Other characters would begin another part of a URL, or be decoded by its parser.
  if (/[\p{Cc}\s/?#@:%\\[\]]/u.test(given)) return given;
  return URL.parse(`http://${given}`)?.hostname ?? given;
}

/** Returns the reason why a normalized name cannot be the hostname of a site; undefined if it can. */
export function hostnameProblem(hostname: string): string | undefined {
  if (hostname.length > maxHostnameLength || !hostnameShape.test(hostname))
    return 'must be a host name of at least three parts, such as docs.example.com, without scheme, port and *';
  // A last part of digits would make it an IP address.
  if (!/^[a-z]/.test(hostname.slice(hostname.lastIndexOf('.') + 1)))
    return 'must be a host name, not an IP address';
  return undefined;
}

/** A hostname in a path, normalized. */
export const HostnameParam = text(1, 512)
  .transform(normalizeHostname)
  .meta({ description: 'A host name such as docs.example.com, in any case and script.' });

/** The statuses of GitBook's document that Bindery gives. */
export const customHostnameStatuses = [
  'dns_passed',
  'dns_wrong_cname',
  'dns_no_cname',
  'dns_wrong_caa',
  'live',
  'ssl_pending',
  'ssl_failed',
] as const;
export type CustomHostnameStatus = (typeof customHostnameStatuses)[number];

const SitePointer = z.object({ type: z.literal('site'), site: Id }).meta({ id: 'SitePointer' });

export const CustomHostname = z
  .object({
    object: z.literal('custom-hostname'),
    hostname: z.string(),
    target: SitePointer,
    isActive: z.boolean().describe('Whether the site is served there, and its URLs lead there.'),
    status: z
      .enum(customHostnameStatuses)
      .optional()
      .describe('The result of the last check; absent before the first one.'),
    createdAt: z.iso.datetime(),
    checkedAt: z.iso.datetime().optional().describe('The time of the last check.'),
    verification: z
      .object({
        status: z.enum(['pending', 'verified']),
        record: z
          .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
          .describe('The DNS record that proves that the organization controls the hostname.'),
      })
      .describe('Whether and how the hostname is verified.'),
    cname: z.string().describe('The name to which the CNAME record of the hostname has to point.'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'CustomHostname' });
export type CustomHostname = z.infer<typeof CustomHostname>;

export const PutCustomHostname = z
  .strictObject({ target: z.strictObject({ type: z.literal('site'), site: Id }) })
  .meta({ id: 'PutCustomHostname' });
