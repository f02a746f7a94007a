import type { VisitorClaims } from '@bindery/contract';
import { Member, singleWrite, type MemberRecord } from '@bindery/models';
import { SignJWT } from 'jose';
import type { Actor } from '../../http/actor.ts';

/** Clients ping while a member works, so a token can expire soon. */
const lifetimeMs = 60 * 60 * 1000;

/**
 * Stores when a member was last active.
 *
 * @param claimsKey  signs the token that identifies the member to sites with visitor authentication; without
 *   a key the answer has no token
 */
export async function pingOrganization(
  { _id, user }: MemberRecord,
  { actor: { limits }, claimsKey: key }: { actor: Actor; claimsKey: string | undefined },
): Promise<VisitorClaims> {
  await singleWrite((session) =>
    Member.updateOne({ _id }, { $set: { lastSeenAt: new Date() } }, { session }),
  );
  if (key === undefined) return {};
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(user)
    .setIssuedAt()
    // It expires no later than the API token of the request.
    .setExpirationTime(new Date(Math.min(Date.now() + lifetimeMs, limits?.expiresAt?.getTime() ?? Infinity)))
    .sign(Buffer.from(key));
  return { docsVisitorClaims: token, gitbookVisitorClaims: token };
}
