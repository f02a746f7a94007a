import { createHash } from 'node:crypto';

/** SHA-256 of bytes, hex; of a document's source the hash under which it is stored. */
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
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // Built by hand: every page of a space passes here at each import, and lists of entries would cost several times as much.
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
