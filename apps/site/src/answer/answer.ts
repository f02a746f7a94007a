import { hash } from 'node:crypto';
import { encodedText, type EncodedText } from '@bindery/runtime';

/** An answer that is kept, with its bytes in each encoding that was asked for. */
export type Answer = EncodedText & {
  status: number;
  contentType: string;
  etag: string;
  /** Directives that the content needs beside the usual ones, such as the hashes of its style sheets. */
  policy?: string | undefined;
};

/** An answer that leads elsewhere, with the cookie that it sets. */
export type Redirect = { status: 302 | 303 | 307 | 308; location: string; cookie?: string | undefined };

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
    quality,
  }: { contentType: string; status?: number; policy?: string | undefined; quality?: number },
): Answer {
  const encoded = encodedText(text, { quality });
  const etag = hash('sha256', encoded.plain, 'base64url').slice(0, 22);
  return { ...encoded, status, contentType, etag, policy };
}

/** The memory of an answer in bytes, with its compressed bytes as far as these can be known. */
export function sizeOf({ plain }: Answer): number {
  return 500 + Math.ceil(1.5 * plain.length);
}
