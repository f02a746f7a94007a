import { bareHostname } from './address.ts';
import { badRedirect } from './errors.ts';

/**
 * What to do with a redirect.
 *
 * - `none`: hand it to the caller as it is
 * - `git`: follow on the same host only, at most from http to https; a POST is sent again as a POST
 * - `follow`: follow anywhere but never from https to http; to another origin no credentials go along
 */
export type RedirectRule = 'none' | 'git' | 'follow';

export const maxRedirects = 5;

/** `open` gives the bytes from their beginning, each time anew, for instance from a file; there are exactly `sizeBytes` of them. */
export type OpenableBody = { sizeBytes: number; open(): AsyncIterable<Uint8Array> };

export type RequestBody = Uint8Array | OpenableBody | AsyncIterable<Uint8Array>;

export type Hop = { url: URL; method: 'GET' | 'POST'; headers: Record<string, string>; body?: RequestBody };

/**
 * The request that a redirect asks for, or undefined when the answer is none.
 *
 * The target still has to pass the checks of every URL.
 * @throws JobError `redirect`
 */
export function nextHop(hop: Hop, answer: { status: number; location: string | undefined }, rule: RedirectRule): Hop | undefined {
  if (rule === 'none' || !redirectStatuses.has(answer.status) || answer.location === undefined) return undefined;
  const url = URL.parse(answer.location, hop.url.href);
  if (!url) throw badRedirect('to something that is not a URL');
  // A login in a Location is the server's invention, never the user's.
  url.username = '';
  url.password = '';
  url.hash = '';

  if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw badRedirect('from https to http');
  if (hop.method === 'POST' && !canPostAgain(hop, answer.status, rule)) throw badRedirect('a request that cannot be sent again');
  if (rule === 'git') {
    if (!staysOnHost(hop.url, url)) throw badRedirect('to another host');
    return { ...hop, url };
  }
  return { ...hop, url, headers: url.origin === hop.url.origin ? hop.headers : withoutSecrets(hop.headers) };
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

// 307 and 308 keep the method by definition. Git keeps it for 301 and 302 too: a server that moves all of http to https means no GET.
function canPostAgain({ body }: Hop, status: number, rule: RedirectRule): boolean {
  const keepsMethod = status === 307 || status === 308 || (rule === 'git' && status !== 303);
  return keepsMethod && (body === undefined || body instanceof Uint8Array || 'sizeBytes' in body);
}

function staysOnHost(from: URL, to: URL): boolean {
  if (bareHostname(from) !== bareHostname(to)) return false;
  if (from.protocol === to.protocol) return from.port === to.port;
  return from.protocol === 'http:' && to.protocol === 'https:';
}

// Names of headers that hold secrets are endless, so only those that are known to hold none go to another origin.
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
