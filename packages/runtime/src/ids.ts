import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Makes an opaque id: 20 alphanumeric characters (119 bits), never all digits, so that it cannot be confused
 * with the number of a change request.
 */
export function newId(): string {
  for (;;) {
    const id = randomText(20);
    if (/\D/.test(id)) return id;
  }
}

/** Makes random base 62 characters from the system's secure source. */
export function randomText(length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += alphabet[randomInt(62)];
  return text;
}
