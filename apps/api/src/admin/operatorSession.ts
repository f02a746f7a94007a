import { ApiToken, databaseNow, User, type UserRecord } from '@bindery/models';
import { isSignatureValid, signText, type SecretKeys } from '@bindery/runtime';
import type { CookieOptions, Response } from 'express';
import type { Actor } from '../http/actor.ts';

const purpose = 'operator-session';
const sessionHours = 12;
const sessionMs = sessionHours * 3_600_000;

export const sessionCookie = 'bindery_operator';

/** Cookie options of the session: inaccessible to scripts, never sent from other sites. */
export function cookieOptions(publicUrl: string): CookieOptions {
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: sessionMs,
    path: '/admin',
  };
}

/** Returns the signed cookie value: the user, the token that signed in, and the expiry time. */
export function startSession(keys: SecretKeys, { user, tokenId }: Actor): string {
  const session = `${user.id}.${tokenId}.${databaseNow().getTime() + sessionMs}`;
  return `${session}.${signText(keys, purpose, session)}`;
}

/** Returns the id of the operator in whose session a request was admitted (`requireOperator`). */
export function operatorOf({ locals }: Pick<Response, 'locals'>): string {
  const { operator } = locals as { operator?: string };
  if (operator === undefined) throw new Error('This request did not pass requireOperator.');
  return operator;
}

/** Ends all sessions of an operator, also those in other browsers: a cookie alone can be kept. */
export async function endSessions(operator: string): Promise<void> {
  await User.updateOne({ _id: operator }, { $set: { signedOutAt: databaseNow() } });
}

/**
 * Finds the operator whose session the cookies of a request contain: the user is still an operator and has
 * not signed out since, and the token is still valid.
 *
 * @returns the id of the user; undefined without a valid session
 */
export async function findOperator(keys: SecretKeys, cookies = ''): Promise<string | undefined> {
  const value = cookies
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${sessionCookie}=`))
    ?.slice(sessionCookie.length + 1);
  const [userId = '', tokenId = '', until = '', signature = ''] = (value ?? '').split('.');
  if (
    !isSignatureValid(keys, purpose, `${userId}.${tokenId}.${until}`, signature) ||
    Number(until) < databaseNow().getTime()
  )
    return undefined;
  const isGood = {
    _id: tokenId,
    user: userId,
    revokedAt: { $exists: false },
    $or: [{ expiresAt: { $exists: false } }, { expiresAt: { $gt: new Date() } }],
  };
  const [user, token] = await Promise.all([
    User.findOne({ _id: userId, isOperator: true }, { signedOutAt: 1 }).lean<Pick<
      UserRecord,
      'signedOutAt'
    > | null>(),
    ApiToken.exists(isGood),
  ]);
  const isSignedOut = Number(until) - sessionMs <= (user?.signedOutAt?.getTime() ?? -Infinity);
  return user !== null && token !== null && !isSignedOut ? userId : undefined;
}
