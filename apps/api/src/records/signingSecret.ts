import { randomBytes } from 'node:crypto';
import { sealedSecretOf } from '@bindery/models';
import type { SealedSecret } from '@bindery/runtime';

/** How long a replaced secret stays valid, so that the other side has time to switch. */
const overlapMs = 24 * 60 * 60 * 1000;

/** A secret that signs requests, and the one that it replaced. */
type Secrets = { secret: SealedSecret; previousSecret?: { sealed: SealedSecret; expiresAt: Date } };

/** Creates a secret in the format of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function randomSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The fields of a record whose secret is replaced. An older previous secret ends at once. */
export function replacedSecret(
  { secret: previous }: Pick<Secrets, 'secret'>,
  secret: SealedSecret,
  now: Date,
) {
  const previousSecret = {
    sealed: sealedSecretOf(previous),
    expiresAt: new Date(now.getTime() + overlapMs),
  };
  return { secret, previousSecret, updatedAt: now };
}

/** The end of the previous secret, ISO 8601; undefined when it has ended or there is none. */
export function previousSecretEnd({ previousSecret }: Secrets, now: Date): string | undefined {
  return previousSecret && previousSecret.expiresAt > now
    ? previousSecret.expiresAt.toISOString()
    : undefined;
}
