import { isSignatureValid, signText, type SecretKeys } from '@bindery/runtime';
import { databaseNow } from '../database/databaseClock.ts';

const purpose = 'console-credential';
const lifeMs = 60_000;
const shape = /^console\.([\da-f]{64})\.(\w{1,64})\.(\d{13})\.([\w-]{43})$/;

/**
 * Signs the bearer credential with which the console calls the API in a session, valid for a minute.
 *
 * It does not pass through a browser, and gives no rights by itself: the API looks the session up.
 *
 * @param session  the id of the session
 */
export function signConsoleCredential(
  keys: SecretKeys,
  { session, user }: { session: string; user: string },
): string {
  const claims = `${session}.${user}.${databaseNow().getTime() + lifeMs}`;
  return `console.${claims}.${signText(keys, purpose, claims)}`;
}

/** @returns the ids of the session and its user; undefined for another text, and after its minute */
export function readConsoleCredential(
  keys: SecretKeys,
  text: string,
): { session: string; user: string } | undefined {
  const [, session = '', user = '', until = '', signature = ''] = shape.exec(text) ?? [];
  if (!isSignatureValid(keys, purpose, `${session}.${user}.${until}`, signature)) return undefined;
  return Number(until) > databaseNow().getTime() ? { session, user } : undefined;
}
