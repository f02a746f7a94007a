import { TextDecoder } from 'node:util';

/** The declaration of a document ends within these. */
const declarationBytes = 256;
/** A text is parsed in pieces of this size, so that few of its units wait in memory. */
const pieceBytes = 64 * 1024;

/** A document whose bytes cannot be read as text. */
export class UnreadableBytes extends Error {}

/**
 * Decodes the bytes of an XML document: UTF-8, UTF-16 or what its declaration names. A byte order mark wins,
 * and is removed.
 *
 * @throws UnreadableBytes for an unknown encoding, bytes that are not in theirs, or too many of them
 */
export async function* decodeXml(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string> {
  let begin: Buffer = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new UnreadableBytes(`It is larger than ${maxBytes} bytes.`);
    if (decoder) {
      yield* decoded(decoder, chunk);
      continue;
    }
    begin = Buffer.concat([begin, chunk]);
    if (begin.length < declarationBytes) continue;
    decoder = decoderOf(begin);
    yield* decoded(decoder, begin);
  }
  if (!decoder) yield* decoded((decoder = decoderOf(begin)), begin);
  yield decode(decoder);
}

function* decoded(decoder: TextDecoder, bytes: Uint8Array): Iterable<string> {
  for (let start = 0; start < bytes.length; start += pieceBytes)
    yield decode(decoder, bytes.subarray(start, start + pieceBytes));
}

/** Without bytes: the end of the document. */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch (error) {
    throw new UnreadableBytes(`Its bytes are not ${decoder.encoding.toUpperCase()}.`, { cause: error });
  }
}

function decoderOf(begin: Buffer): TextDecoder {
  const encoding = encodingOf(begin);
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (error) {
    throw new UnreadableBytes(`Its encoding ${encoding} is unknown.`, { cause: error });
  }
}

function encodingOf(begin: Buffer): string {
  const [first, second, third] = begin;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const declaration = begin.subarray(0, declarationBytes).toString('latin1');
  const [, declared] = /^<\?xml [^>]*?encoding *= *["']([A-Za-z0-9._-]{1,40})["']/.exec(declaration) ?? [];
  return declared ?? 'utf-8';
}
