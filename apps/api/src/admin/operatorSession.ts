import { ApiToken, User } from '@bindery/models';
import { isSignatureValid, signText, type SecretKeys } from '@bindery/runtime';
import type { CookieOptions, Response } from 'express';
import type { Actor } from '../http/actor.ts';

const purpose = 'operator-session';
const sessionHours = 12;

export const sessionCookie = 'bindery_operator';

/** Cookie options of the session: inaccessible to scripts, never sent from other sites. */
export function cookieOptions(publicUrl: string): CookieOptions {
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: sessionHours * 3_600_000,
    path: '/admin',
  };
}

/** Returns the signed cookie value: the user, the token that signed in, and the expiry time. */
export function startSession(keys: SecretKeys, { user, tokenId }: Actor): string {
  const session = `${user.id}.${tokenId}.${Date.now() + sessionHours * 3_600_000}`;
  return `${session}.${signText(keys, purpose, session)}`;
}

/** Returns the id of the operator in whose session a request was admitted (`requireOperator`). */
export function operatorOf({ locals }: Pick<Response, 'locals'>): string {
  const { operator } = locals as { operator?: string };
  if (operator === undefined) throw new Error('This request did not pass requireOperator.');
  return operator;
}

/**
 * Finds the operator whose session the cookies of a request contain: the user is still an operator and the
 * token still valid.
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
    Number(until) < Date.now()
  )
    return undefined;
  const isGood = {
    _id: tokenId,
    user: userId,
    revokedAt: { $exists: false },
    $or: [{ expiresAt: { $exists: false } }, { expiresAt: { $gt: new Date() } }],
  };
  const [user, token] = await Promise.all([
    User.exists({ _id: userId, isOperator: true }),
    ApiToken.exists(isGood),
  ]);
  return user !== null && token !== null ? userId : undefined;
}
