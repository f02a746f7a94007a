import type { TextReader } from './commitHeader.ts';

/** A person as commits name one. `email` may be empty. */
export type Person = { name: string; email: string };

/** A person and a time in seconds since 1970; without a time if there is none that a calendar has. */
export type Identity = Person & { seconds?: number };

const maxNameLength = 255;
const maxEmailLength = 254;
/** Enough for the longest name in any encoding. */
const maxBytes = 4 * maxNameLength;
const lastSecond = 253_402_300_799;

/**
 * Reads `name <email> seconds timezone` of a commit. Any part may be missing or broken, and is then empty.
 * Control characters become spaces.
 */
export function readIdentity(line: Buffer | undefined, reader: TextReader): Identity {
  if (!line) return { name: '', email: '' };
  const open = line.indexOf(0x3c);
  const close = line.indexOf(0x3e, open + 1);
  const nameEnd = open < 0 ? line.length : open;
  const emailEnd = close < 0 ? line.length : close;
  const text = (from: number, to: number) =>
    onOneLine(reader.decode(line.subarray(from, Math.min(to, from + maxBytes))));
  const seconds = secondsIn(line.toString('latin1', line.lastIndexOf(0x3e) + 1).slice(0, 40));
  return {
    name: cut(text(0, nameEnd), maxNameLength),
    email: open < 0 ? '' : cut(text(open + 1, emailEnd), maxEmailLength),
    seconds: open < 0 ? undefined : seconds,
  };
}

function secondsIn(end: string): number | undefined {
  const seconds = Number(/^ ?(\d{1,20})(?: |$)/.exec(end)?.[1] ?? NaN);
  return seconds <= lastSecond ? seconds : undefined;
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
}

function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
