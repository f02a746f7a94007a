import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

export type SecretKeys = { key: Buffer; previousKey?: Buffer | undefined };

/** A text readable only with the key: AES-256-GCM, with the id of the sealing key. */
export type SealedSecret = { keyId: string; nonce: Buffer; ciphertext: Buffer; tag: Buffer };

/**
 * Seals a text for one context.
 *
 * @param context  the owner of the secret, such as `git-credential:<job id>`: a sealed secret opens only in
 *   the same context
 */
export function sealSecret(keys: SecretKeys, text: string, context: string): SealedSecret {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keys.key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { keyId: keyIdOf(keys.key), nonce, ciphertext, tag: cipher.getAuthTag() };
}

/** Whether a secret was sealed with one of the configured keys. */
export function isOpenable(keys: SecretKeys, sealed: SealedSecret): boolean {
  return keyOf(keys, sealed) !== undefined;
}

/** @throws Error when neither key sealed it or it was sealed for another context */
export function openSecret(keys: SecretKeys, sealed: SealedSecret, context: string): string {
  const key = keyOf(keys, sealed);
  if (!key)
    throw new Error(
      'A stored secret was sealed with a key that is no longer configured; set BINDERY_SECRET_KEY_PREVIOUS to it.',
    );
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.nonce)
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.tag);
  return Buffer.concat([decipher.update(sealed.ciphertext), decipher.final()]).toString('utf8');
}

/**
 * Computes a keyed hash of a text, base64url: for signatures in URLs and for names that must not be
 * guessable. `purpose` separates the uses.
 */
export function signText(keys: SecretKeys, purpose: string, text: string): string {
  return hmac(keys.key, purpose, text);
}

/** Whether `signature` was made by signText with the current or the previous key. */
export function isSignatureValid(
  keys: SecretKeys,
  purpose: string,
  text: string,
  signature: string,
): boolean {
  const given = Buffer.from(signature);
  return [keys.key, keys.previousKey].some((key) => {
    if (!key) return false;
    const expected = Buffer.from(hmac(key, purpose, text));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

function hmac(key: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url');
}

function keyOf({ key, previousKey }: SecretKeys, { keyId }: SealedSecret): Buffer | undefined {
  return [key, previousKey].find((candidate) => candidate && keyIdOf(candidate) === keyId);
}

/** A short hash of a key, which tells keys apart and reveals nothing of them. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('bindery key id').update(key).digest('hex').slice(0, 12);
}
