import type { SealedSecret } from '@bindery/runtime';
import { Schema } from 'mongoose';

/** A sealed text in a record. */
export const sealedSecretSchema = new Schema<SealedSecret>(
  { keyId: String, nonce: Buffer, ciphertext: Buffer, tag: Buffer },
  { _id: false },
);

/** Converts a sealed text from a lean read, with the driver's binaries, to the form that can be opened. */
export function sealedSecretOf({ keyId, nonce, ciphertext, tag }: SealedSecret): SealedSecret {
  return { keyId, nonce: bytesOf(nonce), ciphertext: bytesOf(ciphertext), tag: bytesOf(tag) };
}

function bytesOf(value: Buffer | { buffer: Uint8Array }): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer);
}
