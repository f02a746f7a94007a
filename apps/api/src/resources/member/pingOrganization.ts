import type { VisitorClaims } from '@bindery/contract';
import { Member, singleWrite, type MemberRecord } from '@bindery/models';
import { SignJWT } from 'jose';
import type { Actor } from '../../http/actor.ts';
import { thePlatform } from '../../platform.ts';

/** Clients ping while somebody works, so a token need not live for long. */
const lifetimeMs = 60 * 60 * 1000;

/** Notes that a member is here; answers with a token that says who it is to sites for authenticated visitors, when a key for that is configured. */
export async function pingOrganization({ _id, user }: MemberRecord, { limits }: Actor): Promise<VisitorClaims> {
  await singleWrite((session) => Member.updateOne({ _id }, { $set: { lastSeenAt: new Date() } }, { session }));
  const { key } = thePlatform().config.visitorClaims;
  if (key === undefined) return {};
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(user)
    .setIssuedAt()
    // It does not outlive the token for which it is made.
    .setExpirationTime(new Date(Math.min(Date.now() + lifetimeMs, limits?.expiresAt?.getTime() ?? Infinity)))
    .sign(Buffer.from(key));
  return { docsVisitorClaims: token, gitbookVisitorClaims: token };
}
