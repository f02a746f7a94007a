import type { Outbound } from '@bindery/outbound';
import type { CustomFetch } from 'openid-client';

/** Answers of a provider are documents and keys of a few kB; a person waits for them. */
const maxBytes = 512 * 1024;
const limits = {
  connectMs: 5_000,
  headersMs: 8_000,
  idleMs: 5_000,
  totalMs: 10_000,
  maxBytes,
  maxDecodedBytes: maxBytes,
};

/** Sends the requests of the library through `outbound`. */
export function openIdFetch(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`The method ${method} is not sent.`);
    const response = await outbound.request({
      url: outbound.checkUrl(url),
      method,
      headers,
      ...(body instanceof URLSearchParams && { body: Buffer.from(body.toString()) }),
      limits,
      redirects: 'none',
      signal,
    });
    const bytes = Buffer.concat(await Array.fromAsync(response.body));
    return new Response(bytes.length === 0 ? null : bytes, {
      status: response.status,
      headers: response.headers,
    });
  };
}
