import type { IncomingMessage } from 'node:http';

/** The usual limit. */
const formBytes = 100_000;

/**
 * Reads the fields of a form.
 *
 * @returns the reason when the body is too large or is not a form
 */
export async function readFields(
  request: IncomingMessage,
  maxBytes = formBytes,
): Promise<{ fields: URLSearchParams } | { refused: 'tooLarge' | 'noForm' }> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? ''))
    return { refused: 'noForm' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return { refused: 'tooLarge' };
    chunks.push(chunk);
  }
  return { fields: new URLSearchParams(Buffer.concat(chunks).toString('utf8')) };
}
