import type { User } from '@bindery/contract';
import { parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { accessTo } from '../api/apiAccess.ts';
import { plain } from '../api/plain.ts';
import { isReadableOnTheWay, parseApiUrl } from './apiUrl.ts';
import { credentialsFile, readCredentials, writeCredentials } from './credentials.ts';
import { readToken } from './readToken.ts';

export const loginUsage = {
  command: 'login',
  operands: '[URL]',
  options: {},
} satisfies Usage;

/**
 * Reads a token from the terminal, or from the standard input, and keeps it when the API accepts it. The
 * token is no argument: other users of the machine see those.
 */
export async function login(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { operands } = parseOptions(loginUsage, args);
  const file = credentialsFile(environment);
  const kept = readCredentials(file);
  const given = operands[0] ?? (environment.BINDERY_API_URL || kept.current);
  if (given === undefined || operands.length > 1)
    throw new Refusal('`bindery login` needs the URL of one installation.', [
      'For example `bindery login https://docs.example.com`.',
    ]);
  const apiUrl = parseApiUrl(given);
  if (isReadableOnTheWay(apiUrl))
    console.error(`Warning: ${apiUrl} has no encryption, so others on the way can read the token.`);
  const token = await readToken(process.stdin, (text) => process.stderr.write(text));
  const user = (await accessTo({ apiUrl, token }).get('/user')) as unknown as User;
  const { logins } = readCredentials(file);
  writeCredentials(file, { current: apiUrl, logins: { ...logins, [apiUrl]: { token } } });
  console.log(plain(`Logged in to ${apiUrl} as ${user.displayName}. The token is in ${file}.`));
  return 0;
}
