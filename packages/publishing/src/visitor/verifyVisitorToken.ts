import { claimsLimitBytes, reduceClaims, type VisitorClaims } from '@bindery/dialect';
import type { SiteRecord } from '@bindery/models';
import type { SecretKeys } from '@bindery/runtime';
import { jwtVerify } from 'jose';
import { adaptiveSchemaOf } from './adaptiveSchemaOf.ts';
import { findPublishingAuth, privateKeyOf } from './publishingAuth.ts';

const maxTokenBytes = 8192;
// The decoder is lenient and would accept other characters than those of base64url.
const tokenShape = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const toleranceSeconds = 30;
const maxAgeSeconds = 24 * 60 * 60;

/**
 * Verifies the token of the organization's own service and returns its claims about the visitor, reduced to
 * those that the site's adaptive schema declares; undefined for an invalid token.
 *
 * The token is a JWT of at most 8 KB with at most 4 KB of claims, signed with HS256 and the private key of
 * the site's publishing auth. It must expire at most 24 hours after `iat`, or after now without `iat`.
 */
export async function verifyVisitorToken(
  secrets: SecretKeys,
  { site, token }: { site: Pick<SiteRecord, '_id' | 'adaptiveSchema'>; token: string | undefined },
): Promise<VisitorClaims | undefined> {
  if (token === undefined || token.length > maxTokenBytes || !tokenShape.test(token)) return undefined;
  const auth = await findPublishingAuth(site);
  const payload = auth && (await verifiedPayload(token, privateKeyOf(secrets, auth)));
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
    // The reason is not revealed to the visitor.
    return undefined;
  }
}
