/**
 * A run of ASCII, the bytes of one character, or one byte that begins none, in text that has a character for
 * each byte.
 */
const sequences =
  // oxlint-disable-next-line no-control-regex -- the expression matches bytes
  /[\x00-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** A lone surrogate, which encodes a byte that is not UTF-8: no text contains one. */
const escaped = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;

/** Decodes bytes, even bytes that are not UTF-8, to text that `exactBytes` turns into the same bytes. */
export function exactText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const binary = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    return binary.replace(sequences, (sequence) =>
      sequence.length === 1 && sequence >= '\x80'
        ? String.fromCharCode(0xdc00 + sequence.charCodeAt(0))
        : Buffer.from(sequence, 'latin1').toString('utf8'),
    );
  }
}

export function exactBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return new Uint8Array(Buffer.from(text, 'utf8'));
  const pieces: Buffer[] = [];
  let position = 0;
  for (const { index, 0: letter } of text.matchAll(escaped)) {
    pieces.push(
      Buffer.from(text.slice(position, index), 'utf8'),
      Buffer.from([letter.charCodeAt(0) - 0xdc00]),
    );
    position = index + 1;
  }
  return new Uint8Array(Buffer.concat([...pieces, Buffer.from(text.slice(position), 'utf8')]));
}
