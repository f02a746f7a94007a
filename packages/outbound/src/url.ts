import { JobError } from '@bindery/contract/jobErrors';
import { type AddressRules, bareHostname, knownAddresses } from './address.ts';
import { refusedAddress } from './errors.ts';

const maxUrlLength = 2048;

/**
 * Parses the text of a URL once; from here on only the returned object is used.
 *
 * @throws JobError `bad_url` or `refused_address` for errors visible in the text. The addresses of a name are
 *   checked on connecting.
 */
export function parseUrl(text: string, rules: AddressRules, options: { allowUserInfo?: boolean } = {}): URL {
  if (text.length > maxUrlLength) throw badUrl(`is longer than ${maxUrlLength} characters`);
  // The parser silently drops tabs and line breaks: a text with them is not the URL that its author saw.
  if (/\p{Cc}/u.test(text)) throw badUrl('contains control characters');
  const url = URL.parse(text);
  if (!url) throw badUrl('is not a complete URL');
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  assertUrl(url, rules, options);
  return url;
}

/** Applies the same checks to a parsed URL, such as the target of a redirect. */
export function assertUrl(url: URL, rules: AddressRules, options: { allowUserInfo?: boolean } = {}): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badUrl('must begin with https:// or http://');
  const hostname = bareHostname(url);
  if (hostname === '') throw badUrl('names no host');
  if (!options.allowUserInfo && (url.username || url.password))
    throw badUrl('must not contain a user name or password');

  const port = portOf(url);
  const known = knownAddresses(hostname);
  const isShut = known.length > 0 && !known.some((address) => rules.permits({ hostname, address, port }));
  if (isShut || rules.ownHosts(port).includes(hostname) || !rules.permitsPort(hostname, port))
    throw refusedAddress();
}

export function portOf(url: { protocol: string; port: string }): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function badUrl(problem: string): JobError {
  return new JobError('bad_url', `The URL ${problem}.`, {
    action: 'Give a complete http:// or https:// address, such as https://example.com/path.',
  });
}
