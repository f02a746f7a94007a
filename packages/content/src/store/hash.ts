import { createHash } from 'node:crypto';

/** SHA-256 of bytes, hex. */
export function sha256(...parts: (Uint8Array | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** SHA-256 of a JSON value; the order of an object's keys does not matter, undefined ones do not count. */
export function hashOfJson(value: unknown): string {
  return sha256(canonical(value));
}

/** A JSON value as text that is the same for equal values: keys in order, undefined ones left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
