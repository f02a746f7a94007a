import { invalid, JobError } from '@bindery/contract';
import type { Outbound } from '@bindery/outbound';

export type Login = { username: string; password: string };

/**
 * Splits a URL to fetch into its login and a URL without it, which may be stored, queued and shown.
 *
 * @param path  position of the URL in the request
 * @throws invalid_request for a URL that is forbidden as written
 */
export function splitLogin(
  text: string,
  { path, outbound }: { path: string; outbound: Outbound },
): { url: URL; login?: Login } {
  const url = checkUrl(text, { path, outbound });
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  return {
    url,
    login: username || password ? { username: decoded(username), password: decoded(password) } : undefined,
  };
}

function checkUrl(text: string, { path, outbound }: { path: string; outbound: Outbound }): URL {
  try {
    return outbound.checkUrl(text, { allowUserInfo: true });
  } catch (error) {
    if (error instanceof JobError) throw invalid(path, error.message);
    throw error;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
