import { bareHostname } from './address.ts';
import { badRedirect } from './errors.ts';

/**
 * How to handle a redirect.
 *
 * - `none`: return it to the caller
 * - `same-host`: follow on the same host only, at most from http to https; a POST is repeated as a POST
 * - `follow`: follow anywhere but never from https to http; no credentials are sent to another origin
 */
export type RedirectRule = 'none' | 'same-host' | 'follow';

export const maxRedirects = 5;

/**
 * `open` yields the bytes from the beginning on each call, for instance from a file; there are exactly
 * `sizeBytes` of them.
 */
export type OpenableBody = { sizeBytes: number; open(): AsyncIterable<Uint8Array> };

export type RequestBody = Uint8Array | OpenableBody | AsyncIterable<Uint8Array>;

export type Hop = { url: URL; method: 'GET' | 'POST'; headers: Record<string, string>; body?: RequestBody };

/**
 * Returns the request that a redirect leads to; undefined when the answer is not a redirect.
 *
 * The target must still pass the checks of every URL.
 * @throws JobError `redirect`
 */
export function nextHop(
  hop: Hop,
  answer: { status: number; location: string | undefined },
  rule: RedirectRule,
): Hop | undefined {
  if (rule === 'none' || !redirectStatuses.has(answer.status) || answer.location === undefined)
    return undefined;
  const url = URL.parse(answer.location, hop.url.href);
  if (!url) throw badRedirect('to something that is not a URL');
  // A login in a Location comes from the server, never from the user.
  url.username = '';
  url.password = '';
  url.hash = '';

  if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw badRedirect('from https to http');
  if (hop.method === 'POST' && !canPostAgain(hop, answer.status, rule))
    throw badRedirect('a request that cannot be sent again');
  if (rule === 'same-host') {
    if (!staysOnHost(hop.url, url)) throw badRedirect('to another host');
    return { ...hop, url };
  }
  return { ...hop, url, headers: url.origin === hop.url.origin ? hop.headers : withoutSecrets(hop.headers) };
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

// 307 and 308 keep the method by definition. Git keeps it for 301 and 302 too: a server that redirects all of
// http to https does not mean GET.
function canPostAgain({ body }: Hop, status: number, rule: RedirectRule): boolean {
  const keepsMethod = status === 307 || status === 308 || (rule === 'same-host' && status !== 303);
  return keepsMethod && (body === undefined || body instanceof Uint8Array || 'sizeBytes' in body);
}

function staysOnHost(from: URL, to: URL): boolean {
  if (bareHostname(from) !== bareHostname(to)) return false;
  if (from.protocol === to.protocol) return from.port === to.port;
  return from.protocol === 'http:' && to.protocol === 'https:';
}

// Any header may contain a secret, so only headers known to be harmless are sent to another origin.
function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeaders.has(name)));
}

const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'user-agent',
]);
