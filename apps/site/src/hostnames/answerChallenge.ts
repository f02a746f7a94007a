import type { ServerResponse } from 'node:http';
import { AcmeChallenge, type AcmeChallengeRecord } from '@bindery/models';

const prefix = '/.well-known/acme-challenge/';
/** Base64url; authorities give 22 characters or more. */
const tokenShape = /^[\w-]{16,256}$/;

/**
 * Answers a certificate authority that looks whether a hostname leads to the platform (http-01); false for
 * another path. Any process answers, because the order runs in another one.
 */
export async function answerChallenge(
  { hostname, pathname }: URL,
  response: ServerResponse,
): Promise<boolean> {
  if (!pathname.startsWith(prefix)) return false;
  const token = pathname.slice(prefix.length);
  const challenge = tokenShape.test(token)
    ? await AcmeChallenge.findOne({ _id: token, hostname }).lean<AcmeChallengeRecord>()
    : null;
  response
    .writeHead(challenge ? 200 : 404, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' })
    .end(challenge?.keyAuthorization ?? '');
  return true;
}
