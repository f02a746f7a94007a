import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new opaque id: 20 alphanumeric characters (119 bits), never all digits, so that no id can be confused with a change request's number. */
export function newId(): string {
  for (;;) {
    const id = randomText(20);
    if (/\D/.test(id)) return id;
  }
}

/** Random characters of base 62, from the system's secure source. */
export function randomText(length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += alphabet[randomInt(62)];
  return text;
}
