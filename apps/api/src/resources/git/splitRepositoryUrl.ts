import { invalid } from '@bindery/contract';
import type { Outbound } from '@bindery/outbound';
import { type Login, splitLogin } from '../../input/splitLogin.ts';

/**
 * Splits the URL of a repository into its login and a URL without it, which may be stored, queued and shown.
 *
 * @throws invalid_request for a URL that is forbidden as written
 */
export function splitRepositoryUrl(text: string, outbound: Outbound): { url: string; login?: Login } {
  const { url, login } = splitLogin(text, { path: 'body.url', outbound });
  // The query would not reach the server, and a secret in it would be stored unsealed.
  if (url.search)
    throw invalid(
      'body.url',
      'must not have a query; write a login before the host, as in https://user:token@host/repository.git.',
    );
  return { url: url.href, login };
}
