import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** An encoding of bytes that browsers ask for. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** An answer that is kept, with its bytes in each encoding that was asked for. */
export type Answer = {
  status: number;
  contentType: string;
  etag: string;
  /** Directives that the content needs beside the usual ones, such as the hashes of its style sheets. */
  policy?: string | undefined;
  plain: Buffer;
  bytesIn: (encoding: Encoding) => Promise<Buffer>;
};

/** An answer that leads elsewhere, with the cookie that it sets. */
export type Redirect = { status: 302 | 303 | 307 | 308; location: string; cookie?: string | undefined };

/** Stronger compression takes sixty times as long for a seventh less. */
const usualQuality = 5;

const brotli = promisify(brotliCompress);
const deflate = promisify<Buffer, Buffer>(gzip);

/**
 * The answer with a text, which each encoding compresses once.
 *
 * @param options.quality  that of brotli; higher for files that never change
 */
export function answerOf(
  text: string,
  {
    contentType,
    status = 200,
    policy,
    quality = usualQuality,
  }: { contentType: string; status?: number; policy?: string | undefined; quality?: number },
): Answer {
  const plain = Buffer.from(text);
  const etag = hash('sha256', plain, 'base64url').slice(0, 22);
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
  return { status, contentType, etag, policy, plain, bytesIn };
}

/** The memory of an answer in bytes, with its compressed bytes as far as these can be known. */
export function sizeOf({ plain }: Answer): number {
  return 500 + Math.ceil(1.5 * plain.length);
}
