import type { VisitorClaims } from '@bindery/contract';
import { Member, type MemberRecord } from '@bindery/models';
import { SignJWT } from 'jose';
import { thePlatform } from '../../platform.ts';

/** Clients ping while somebody works, so a token need not live for long. */
const lifetime = '1h';

/** Notes that a member is here; answers with a token that says who it is to sites for authenticated visitors, when a key for that is configured. */
export async function pingOrganization({ _id, user }: MemberRecord): Promise<VisitorClaims> {
  await Member.updateOne({ _id }, { $set: { lastSeenAt: new Date() } });
  const { key } = thePlatform().config.visitorClaims;
  if (key === undefined) return {};
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(Buffer.from(key));
  return { docsVisitorClaims: token, gitbookVisitorClaims: token };
}
