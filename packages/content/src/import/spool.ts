import { closeSync, openSync, writeSync } from 'node:fs';
import { sha256 } from '../store/hash.ts';

/** The position of bytes in a spool file, and their SHA-256 in hexadecimal. */
export type SpoolPart = { hash: string; offset: number; length: number };

/**
 * One file for all bytes passed from the process that reads content to the one that stores it. Equal bytes
 * are written once.
 */
export type Spool = {
  add(bytes: Uint8Array): SpoolPart;
  close(): void;
};

export function createSpool(path: string): Spool {
  const file = openSync(path, 'wx', 0o600);
  const parts = new Map<string, SpoolPart>();
  let end = 0;
  return {
    add(bytes) {
      const hash = sha256(bytes);
      const known = parts.get(hash);
      if (known) return known;
      for (let written = 0; written < bytes.length;)
        written += writeSync(file, bytes, written, bytes.length - written, end + written);
      const part = { hash, offset: end, length: bytes.length };
      end += bytes.length;
      parts.set(hash, part);
      return part;
    },
    close: () => closeSync(file),
  };
}
