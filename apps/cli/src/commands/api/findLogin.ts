import { homeFolder } from '../../launcher/data-folder/folders.ts';
import { readRunFile } from '../../launcher/data-folder/runFile.ts';
import { Refusal } from '../../refusal.ts';
import { parseApiUrl } from '../login/apiUrl.ts';
import { credentialsFile, readCredentials } from '../login/credentials.ts';

/** An API, by its URL without `/v1`, and the token for it. */
export type ApiLogin = { apiUrl: string; token: string };

type Place = { data: string | undefined; environment: NodeJS.ProcessEnv };

/**
 * Finds the installation that a command is meant for: BINDERY_API_URL and BINDERY_TOKEN, then the
 * installation that runs here, then the last login. A variable alone replaces its part: a URL without a token
 * takes the token kept for it, a token without a URL goes to the installation that runs here or of the last
 * login. `--data` names an installation here, so no login takes its place.
 *
 * @throws Refusal when there is none, or no token for it
 */
export function findLogin({ data, environment }: Place): ApiLogin {
  const { BINDERY_API_URL: namedUrl, BINDERY_TOKEN: namedToken } = environment;
  if (namedUrl) {
    const apiUrl = parseApiUrl(namedUrl);
    const token = namedToken || keptLogin(environment, apiUrl)?.token;
    if (token) return { apiUrl, token };
    throw new Refusal('There is no token for the API.', [
      'Set BINDERY_TOKEN; `bindery token create` makes one.',
      'Or keep one with `bindery login`.',
    ]);
  }
  const folder = homeFolder(data);
  const found = readRunFile(folder) ?? (data === undefined ? keptLogin(environment) : undefined);
  if (found) return { apiUrl: found.apiUrl, token: namedToken || found.token };
  throw new Refusal(`No installation runs in ${folder}.`, [
    'Start it (`npm start`) and try again in another terminal; with its own folder, add the same `--data DIR` here.',
    'Or log in to an installation elsewhere: `bindery login URL`.',
    'Or set BINDERY_API_URL and BINDERY_TOKEN for one.',
  ]);
}

function keptLogin(environment: NodeJS.ProcessEnv, named?: string): ApiLogin | undefined {
  const { current, logins } = readCredentials(credentialsFile(environment));
  const apiUrl = named ?? current;
  if (apiUrl === undefined || !Object.hasOwn(logins, apiUrl)) return undefined;
  return { apiUrl, token: logins[apiUrl]!.token };
}
