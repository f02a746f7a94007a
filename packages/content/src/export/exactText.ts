/** The bytes of one character, or ASCII, or one byte that begins none. In text that has a character for each byte. */
const sequences =
  // oxlint-disable-next-line no-control-regex -- bytes are what is looked for
  /[\x00-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** Half of a character, which stands for a byte that is no UTF-8: no text has it. */
const escaped = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;

/** Bytes as text of which `exactBytes` makes the very same bytes again, also where they are no UTF-8. */
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
    pieces.push(Buffer.from(text.slice(position, index), 'utf8'), Buffer.from([letter.charCodeAt(0) - 0xdc00]));
    position = index + 1;
  }
  return new Uint8Array(Buffer.concat([...pieces, Buffer.from(text.slice(position), 'utf8')]));
}
