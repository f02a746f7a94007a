import type { Text } from './value.ts';

/** Writes a text string: as it is when it is plain ASCII, else in UTF-16. */
export function writeText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return writeBytes(text);
  return `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
}

/** Reads a text string: UTF-16 with its mark, else ASCII. */
export function readText(text: Text): string {
  const bytes = Buffer.from(bytesOf(text), 'latin1');
  const isUtf16 = bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0;
  return isUtf16 ? bytes.swap16().toString('utf16le', 2) : bytes.toString('latin1');
}

/** Writes a string of bytes, given as characters up to U+00FF. */
export function writeBytes(bytes: string): string {
  if (/^[\x20-\x7e]*$/.test(bytes)) return `(${bytes.replaceAll(/[\\()]/g, String.raw`\$&`)})`;
  return `<${Buffer.from(bytes, 'latin1').toString('hex')}>`;
}

/** The bytes of a string as characters up to U+00FF. */
export function bytesOf({ raw }: Text): string {
  if (raw.startsWith('<')) {
    const digits = raw.slice(1, -1).replaceAll(/[^\da-fA-F]/g, '');
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1');
  }
  const inner = raw.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  return inner.replaceAll(/\\([0-7]{1,3}|\r\n|[^])/g, (_whole, escaped: string) => {
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return escapes[escaped] ?? escaped;
  });
}

const escapes: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '\n': '',
  '\r': '',
  '\r\n': '',
};
