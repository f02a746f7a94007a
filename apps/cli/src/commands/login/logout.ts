import { parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { parseApiUrl } from './apiUrl.ts';
import { credentialsFile, readCredentials, writeCredentials } from './credentials.ts';

export const logoutUsage = {
  command: 'logout',
  operands: '[URL]',
  options: {},
} satisfies Usage;

export async function logout(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { operands } = parseOptions(logoutUsage, args);
  if (operands.length > 1) throw new Refusal('`bindery logout` takes one URL.');
  const file = credentialsFile(environment);
  const { current, logins } = readCredentials(file);
  const apiUrl = operands[0] === undefined ? current : parseApiUrl(operands[0]);
  if (apiUrl === undefined || !Object.hasOwn(logins, apiUrl)) {
    console.log(apiUrl === undefined ? 'No login is kept.' : `No login of ${apiUrl} is kept.`);
    return 0;
  }
  const { [apiUrl]: _, ...others } = logins;
  writeCredentials(file, { current: current === apiUrl ? undefined : current, logins: others });
  console.log(`The token of ${apiUrl} is no longer kept here. It works until somebody revokes it.`);
  return 0;
}
