import { claimsLimitBytes, reduceClaims, type VisitorClaims } from '@bindery/dialect';
import type { SiteRecord } from '@bindery/models';
import { jwtVerify } from 'jose';
import { adaptiveSchemaOf } from '../site-adaptive-schema/adaptiveSchemaOf.ts';
import { findPublishingAuth, privateKeyOf } from './publishingAuth.ts';

const maxTokenBytes = 8192;
// Decoding is lenient: it would overlook what is no base64url.
const tokenShape = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const toleranceSeconds = 30;
const maxAgeSeconds = 24 * 60 * 60;

/**
 * What the organization's own service says of a visitor: the claims of its token that the site's adaptive schema declares. undefined when the token
 * is not valid, alike for every reason.
 *
 * It is a JWT, HS256 with the private key of the site's publishing auth, of at most 8 KB and 4 KB of claims. It must say when it ends: at most 24
 * hours after it was made, or after now when it does not say when that was.
 */
export async function verifyVisitorToken(
  site: Pick<SiteRecord, '_id' | 'adaptiveSchema'>,
  token: string | undefined,
): Promise<VisitorClaims | undefined> {
  if (token === undefined || token.length > maxTokenBytes || !tokenShape.test(token)) return undefined;
  const auth = await findPublishingAuth(site);
  const payload = auth && (await verifiedPayload(token, privateKeyOf(auth)));
  return payload ? reduceClaims(adaptiveSchemaOf(site), { signed: payload }) : undefined;
}

async function verifiedPayload(token: string, privateKey: string): Promise<VisitorClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, Buffer.from(privateKey), {
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      clockTolerance: toleranceSeconds,
    });
    const { iat, exp = Number.POSITIVE_INFINITY } = payload;
    const now = Date.now() / 1000;
    if (iat !== undefined && (typeof iat !== 'number' || iat > now + toleranceSeconds)) return undefined;
    if (exp > (iat ?? now) + maxAgeSeconds) return undefined;
    return Buffer.byteLength(JSON.stringify(payload)) > claimsLimitBytes ? undefined : payload;
  } catch {
    // jose tells apart what is wrong with it; a visitor is told nothing of that.
    return undefined;
  }
}
