import { createHmac } from 'node:crypto';
import type { SecretKeys } from '@bindery/runtime';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

const lifetimeSeconds = 3_600;
/** Readers cache answers by token, so the token stays the same for this long. */
const windowSeconds = 600;
const maxSpaces = 50;

/**
 * Content of the token with which a reader of a published site calls the API: the site, its spaces, and the
 * visitor's claims.
 *
 * Readers of GitBook's API decode these names. `visibility`, `shareLink` and `preview` are additions: the
 * terms under which the token was issued.
 */
const ContentToken = z.object({
  kind: z.literal('site'),
  organization: z.string(),
  site: z.string(),
  siteSpace: z.string(),
  siteSection: z.string().optional(),
  space: z.string(),
  /**
   * For readers that decode the token, limited to what fits into a header. The right to read is checked with
   * each request.
   */
  spaces: z.array(z.string()).max(maxSpaces),
  claims: z.record(z.string(), z.unknown()).optional(),
  visitorType: z.enum(['human', 'agent']).optional(),
  /**
   * The visibility of the site when the token was issued. The token is no longer valid when it has changed.
   */
  visibility: z.string(),
  /**
   * The key of the site that signed the claims (`signingKeyId`). The token is no longer valid when the site
   * has another key.
   */
  signedBy: z.string().optional(),
  /** Id of the share link that opened the site. */
  shareLink: z.string().optional(),
  /**
   * Changes whenever the content shown by the site does, so that readers drop their cached answers
   * (`stateOf`).
   */
  state: z.string().optional(),
  /** Issued for a preview. */
  preview: z.boolean().optional(),
});
export type ContentToken = z.infer<typeof ContentToken>;

/**
 * Signs a content token that is valid for 50 to 60 minutes. Its owner can decode it, so it contains only data
 * that the visitor may know. The same content gives the same token for ten minutes, in every process.
 *
 * @param noLaterThan  an earlier end, in seconds since 1970
 */
export async function signContentToken(
  keys: SecretKeys,
  { spaces, ...token }: ContentToken,
  { noLaterThan = Number.POSITIVE_INFINITY }: { noLaterThan?: number | undefined } = {},
): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1_000 / windowSeconds) * windowSeconds;
  return new SignJWT({ ...token, spaces: [...new Set([token.space, ...spaces])].slice(0, maxSpaces) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(Math.min(issuedAt + lifetimeSeconds, noLaterThan))
    .sign(keyFor(keys.key));
}

/** The content of a token; undefined when this platform did not sign it or it has expired. */
export async function readContentToken(keys: SecretKeys, token: string): Promise<ContentToken | undefined> {
  for (const key of [keys.key, keys.previousKey]) {
    if (!key) continue;
    try {
      const { payload } = await jwtVerify(token, keyFor(key), {
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
      });
      return ContentToken.parse(payload);
    } catch {
      // Try the other key; without a match the token is invalid.
    }
  }
  return undefined;
}

/** Whether a bearer token may be a content token: three parts in base64url, which no personal token has. */
export function looksLikeContentToken(token: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}

/** Derives the signing key of content tokens from the platform's key. */
function keyFor(key: Buffer): Buffer {
  return createHmac('sha256', key).update('content-token').digest();
}
