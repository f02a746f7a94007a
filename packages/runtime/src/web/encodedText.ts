import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** An encoding of bytes that browsers ask for. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** A text, with its bytes in each encoding that was asked for. */
export type EncodedText = { plain: Buffer; bytesIn: (encoding: Encoding) => Promise<Buffer> };

/** Stronger compression takes sixty times as long for a seventh less. */
const usualQuality = 5;

const brotli = promisify(brotliCompress);
const deflate = promisify<Buffer, Buffer>(gzip);

/**
 * Makes a text that each encoding compresses once, outside the thread of the caller.
 *
 * @param quality  that of brotli; `constants.BROTLI_MAX_QUALITY` for files that never change
 */
export function encodedText(
  text: string,
  { quality = usualQuality }: { quality?: number | undefined } = {},
): EncodedText {
  const plain = Buffer.from(text);
  const compress = {
    identity: async () => plain,
    gzip: async () => deflate(plain),
    br: async () =>
      brotli(plain, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        },
      }),
  };
  const known = new Map<Encoding, Promise<Buffer>>();
  const bytesIn = async (encoding: Encoding) => {
    const begun = known.get(encoding);
    if (begun) return begun;
    const bytes = compress[encoding]();
    known.set(encoding, bytes);
    bytes.catch(() => known.delete(encoding));
    return bytes;
  };
  return { plain, bytesIn };
}

/** The best encoding that a header `Accept-Encoding` names. */
export function encodingFor(accepted: string | string[] | undefined): Encoding {
  const names = new Set(
    String(accepted ?? '')
      .split(',')
      .filter((part) => !/;\s*q=0(?:\.0+)?\s*$/.test(part))
      .map((part) => part.split(';')[0]?.trim().toLowerCase()),
  );
  if (names.has('br')) return 'br';
  return names.has('gzip') || names.has('*') ? 'gzip' : 'identity';
}
