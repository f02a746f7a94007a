import { invalid, JobError } from '@bindery/contract';
import { thePlatform } from '../platform.ts';

export type Login = { username: string; password: string };

/**
 * Cuts the login off a URL that is to be fetched, so that what is stored, queued and shown is the URL without it.
 *
 * @param path  where the URL stands in the request
 * @throws invalid_request when the URL shows by itself that it is refused
 */
export function splitLogin(text: string, path: string): { url: URL; login?: Login } {
  const url = checkUrl(text, path);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  return { url, ...((username || password) && { login: { username: decoded(username), password: decoded(password) } }) };
}

function checkUrl(text: string, path: string): URL {
  try {
    return thePlatform().outbound.checkUrl(text, { allowUserInfo: true });
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
