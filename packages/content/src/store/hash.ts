import { createHash } from 'node:crypto';

/** SHA-256 of bytes in hexadecimal; for a document's source, the hash under which it is stored. */
export function sha256(...parts: (Uint8Array | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** SHA-256 of a JSON value, regardless of the order of an object's keys; undefined properties are ignored. */
export function hashOfJson(value: unknown): string {
  return sha256(canonical(value));
}

/**
 * Serializes a JSON value to a text that is the same for equal values: keys are sorted, undefined properties
 * omitted.
 */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // Concatenated by hand: every import hashes every page of a space, and building lists of entries would be
  // several times as slow.
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text && ','}${canonical(member)}`;
    return `[${text}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) text += `${text && ','}${JSON.stringify(key)}:${canonical(member)}`;
  }
  return `{${text}}`;
}
