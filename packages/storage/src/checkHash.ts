import { createHash } from 'node:crypto';

/**
 * Compares the bytes of a blob with the hash in its key. The key of an upload has none, so that any bytes are
 * right.
 */
export function checkHash(key: string): { update(bytes: Uint8Array): void; isRight(): boolean } {
  const name = key.slice(key.indexOf(':') + 1);
  const hash = /^[0-9a-f]{64}$/.test(name) ? createHash('sha256') : undefined;
  return {
    update: (bytes) => void hash?.update(bytes),
    isRight: () => hash === undefined || hash.digest('hex') === name,
  };
}
