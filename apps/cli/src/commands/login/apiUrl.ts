import { isWebTarget, schemeOf } from '@bindery/contract/linkTarget';
import { trimmedEnd } from '@bindery/contract/trimCharacters';
import { Refusal } from '../../refusal.ts';

/**
 * The URL under which the tokens of an API are kept: with or without `/v1` and a slash, it is the same.
 *
 * @throws Refusal for anything but a web address without a login
 */
export function parseApiUrl(text: string): string {
  const url = isWebTarget(text) ? URL.parse(text) : null;
  // The text is not repeated: it may have a password.
  if (!url) throw new Refusal('The URL of the API must begin with https:// or http://.');
  if (url.username || url.password)
    throw new Refusal('The URL of the API must have no user name and no password.');
  return url.origin + trimmedEnd(url.pathname, '/').replace(/\/v1$/, '');
}

/** Whether a token would travel to another machine without encryption. */
export function isReadableOnTheWay(apiUrl: string): boolean {
  const { hostname } = new URL(apiUrl);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return schemeOf(apiUrl) === 'http' && !isHere;
}
