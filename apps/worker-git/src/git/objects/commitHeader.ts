/** Splits the bytes of a commit at the first empty line. The message is empty without one. */
export function splitCommit(bytes: Buffer): { head: Buffer; message: Buffer } {
  const headEnd = bytes.indexOf('\n\n');
  if (headEnd < 0) return { head: bytes, message: Buffer.alloc(0) };
  return { head: bytes.subarray(0, headEnd), message: bytes.subarray(headEnd + 2) };
}

/** Returns the bytes of a header line behind its name: names are in the encoding of the commit. */
export function headerLine(head: Buffer, name: string): Buffer | undefined {
  const isFirst = head.toString('latin1', 0, name.length + 1) === `${name} `;
  const at = isFirst ? 0 : head.indexOf(`\n${name} `) + 1;
  if (at === 0 && !isFirst) return undefined;
  const end = head.indexOf(0x0a, at);
  return head.subarray(at + name.length + 1, end < 0 ? head.length : end);
}

export type TextReader = { decode(bytes: Uint8Array): string };

const utf8 = new TextDecoder();
const decoders = new Map<string, TextReader>();
const maxEncodingLength = 64;

/** Returns the decoder of a commit's encoding. An unknown one is read as UTF-8, as git does. */
export function decoderOf(head: Buffer): TextReader {
  const line = headerLine(head, 'encoding');
  if (!line || line.length > maxEncodingLength) return utf8;
  const name = line.toString('latin1');
  const decoder = decoders.get(name) ?? newDecoder(name);
  // The names are those of strangers.
  if (decoders.size < 100) decoders.set(name, decoder);
  return decoder;
}

function newDecoder(name: string): TextReader {
  try {
    return new TextDecoder(name);
  } catch {
    return utf8;
  }
}
