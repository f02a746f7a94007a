import { createHmac } from 'node:crypto';
import type { SecretKeys } from '@bindery/runtime';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

const lifetimeSeconds = 3_600;
/** Readers keep answers under the token that they asked with, so it stays the same for so long. */
const windowSeconds = 600;
const maxSpaces = 50;

/**
 * What the token says with which a reader of a published site asks the API: whose site, which of its spaces,
 * and what is known of the visitor.
 *
 * The names are those that readers of GitBook's API decode; `visibility`, `shareLink` and `preview` are ours:
 * under which terms it was given.
 */
const ContentToken = z.object({
  kind: z.literal('site'),
  organization: z.string(),
  site: z.string(),
  siteSpace: z.string(),
  siteSection: z.string().optional(),
  space: z.string(),
  /**
   * For readers that look at it, and no more than fit into a header; what may be read is decided anew with
   * each request.
   */
  spaces: z.array(z.string()).max(maxSpaces),
  claims: z.record(z.string(), z.unknown()).optional(),
  visitorType: z.enum(['human', 'agent']).optional(),
  /** The site's visibility when the token was made: it is no longer good when that has changed. */
  visibility: z.string(),
  /**
   * Which key of the site had signed what is known of the visitor (`keyIdOf`): the token ends when the site
   * has another key.
   */
  signedBy: z.string().optional(),
  /** Id of the share link that opened the site. */
  shareLink: z.string().optional(),
  /**
   * Differs after each change of what the site shows: so that readers do not show what they kept from before
   * (`stateOf`).
   */
  state: z.string().optional(),
  /** Made for a look before the site is published. */
  preview: z.boolean().optional(),
});
export type ContentToken = z.infer<typeof ContentToken>;

/**
 * Signs a token that is good for 50 to 60 minutes; whoever has it can read it, so it holds nothing that the
 * visitor may not know. The same content gets the same token for ten minutes, from each process.
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

/** What a token says, when this platform signed it and it has not ended. */
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
      // The other key may have signed it; if neither did, it is no token.
    }
  }
  return undefined;
}

/** Whether a bearer token is of this kind: three parts in base64url, as a personal token never has. */
export function looksLikeContentToken(token: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}

/** A key of its own for this use, from the platform's. */
function keyFor(key: Buffer): Buffer {
  return createHmac('sha256', key).update('content-token').digest();
}
