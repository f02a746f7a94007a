import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request comes from a page of its own origin, or from a client that is not a browser: the check
 * of writes that a cookie authenticates. SameSite already keeps the cookie from requests of other sites; this
 * is a second defence.
 */
export function isOwnOrigin({
  'sec-fetch-site': site,
  origin,
  host,
}: Pick<IncomingHttpHeaders, 'sec-fetch-site' | 'origin' | 'host'>): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  // Browsers without `Sec-Fetch-Site` still send `Origin`; clients that are not browsers send neither.
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
