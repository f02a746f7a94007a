import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { JobError } from '@bindery/contract/jobErrors';
import { outboundRequests } from '@bindery/metrics';
import { inSpan } from '@bindery/tracing';
import { createAddressRules } from './address.ts';
import { decodeBody } from './body.ts';
import { guardedConnector, trustWithFile } from './connect.ts';
import { badRedirect, timedOut, toJobError, tooLarge } from './errors.ts';
import type { OutboundLimits } from './limits.ts';
import { type Hop, maxRedirects, nextHop, type RedirectRule, type RequestBody } from './redirect.ts';
import { Agent, request as undiciRequest } from './undici.ts';
import { assertUrl, parseUrl } from './url.ts';

export type OutboundSettings = {
  /**
   * The operator's list: `host:port` (exactly that port) or an address range such as `10.1.0.0/16` (on the
   * usual web ports).
   */
  allow: readonly string[];
  /** `host:port` of our own services: refused even when listed above. */
  refused: readonly string[];
  /** PEM file with further certificate authorities. */
  caFile?: string;
  /** Text of that file, for a process that may not read the file. */
  caText?: string;
};

export type OutboundRequest = {
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /**
   * Bytes and openable bodies are sent with their length and can follow a redirect; an iterable is streamed
   * in chunks and cannot.
   */
  body?: RequestBody;
  limits: OutboundLimits;
  redirects: RedirectRule;
  signal?: AbortSignal;
};

export type OutboundResponse = {
  status: number;
  /** Names in lower case; repeated values are joined by commas. */
  headers: Record<string, string>;
  /** The URL of the answer, after redirects. */
  url: URL;
  /** Decoded, counted and timed; can be read once. Throws the same JobErrors as `request`. */
  body: AsyncIterable<Uint8Array>;
  /** Releases the connection without reading the body. */
  discard(): Promise<void>;
};

/** The platform's only way out: every request to an address chosen by a user goes through it. */
export type Outbound = {
  /**
   * Checks the text of a URL and returns it parsed and normalized, without fragment.
   *
   * @throws JobError `bad_url` or `refused_address` for errors visible in the text; errors visible only to
   *   DNS fail the request
   */
  checkUrl(text: string, options?: { allowUserInfo?: boolean }): URL;
  /**
   * Sends one request and follows redirects; does not check the status (see `throwForStatus`).
   *
   * Ignores proxy settings of the environment, and always verifies certificates.
   * @throws JobError `refused_address`, `bad_url`, `dns`, `connect`, `tls`, `timeout`, `too_large`,
   *   `redirect` or `bad_content`, without text from the network; the reason of `signal` when it ended the
   *   request
   */
  request(options: OutboundRequest): Promise<OutboundResponse>;
  /** Closes all connections; running requests fail. */
  close(): Promise<void>;
};

/** @throws Error for a malformed list or CA file */
export function createOutbound(settings: OutboundSettings): Outbound {
  const rules = createAddressRules(settings);
  const trust = settings.caFile === undefined ? undefined : trustWithFile(settings.caFile, settings.caText);

  // undici fixes the connect timeout per agent. All our limits have the same one, so there is one agent in
  // practice.
  const agents = new Map<number, Agent>();
  let isClosed = false;
  function agentFor({ connectMs }: OutboundLimits): Agent {
    if (isClosed) throw new Error('The outbound client is closed');
    const agent =
      agents.get(connectMs) ??
      new Agent({
        connect: guardedConnector(rules, { connectMs, trust }),
        allowH2: false,
        keepAliveMaxTimeout: 10_000,
      });
    agents.set(connectMs, agent);
    return agent;
  }

  async function request(options: OutboundRequest): Promise<OutboundResponse> {
    const { limits } = options;
    const clock = startClock(limits.totalMs, options.signal);
    let hop: Hop = {
      url: options.url,
      method: options.method ?? 'GET',
      headers: requestHeaders(options.headers),
      ...bodyOf(options),
    };
    try {
      for (let redirects = 0; ; redirects++) {
        assertUrl(hop.url, rules);
        const response = await send(hop);
        const next = nextHop(
          hop,
          { status: response.status, location: response.headers['location'] },
          options.redirects,
        );
        if (!next) {
          const answer = answerOf(response, hop.url);
          outboundRequests.add({ outcome: 'ok' });
          return answer;
        }
        await drain(response.stream);
        if (redirects === maxRedirects) throw badRedirect(`more than ${maxRedirects} times`);
        hop = next;
      }
    } catch (error) {
      clock.stop();
      const explained = clock.explain(error);
      outboundRequests.add({ outcome: explained instanceof JobError ? explained.code : 'aborted' });
      throw explained;
    }

    async function send({ url, method, headers, body }: Hop) {
      const response = await undiciRequest(agentFor(limits), url, {
        method,
        ...sent(headers, body),
        signal: clock.signal,
        headersTimeout: limits.headersMs,
        bodyTimeout: limits.idleMs,
      });
      return {
        status: response.statusCode,
        headers: responseHeaders(response.headers),
        stream: response.body,
      };
    }

    function answerOf(
      { status, headers, stream }: Awaited<ReturnType<typeof send>>,
      url: URL,
    ): OutboundResponse {
      // The timeout can destroy the stream before it is read; the reader gets its error from `clock.explain`.
      stream.on('error', () => {});
      if (Number(headers['content-length']) > limits.maxBytes) {
        stream.destroy();
        throw tooLarge(limits.maxBytes);
      }
      return {
        status,
        headers,
        url,
        body: readBody(stream, contentEncoding(status, headers)),
        discard: async () => {
          await drain(stream);
          clock.stop();
        },
      };
    }

    async function* readBody(stream: BodyStream, encoding: string | undefined): AsyncGenerator<Uint8Array> {
      try {
        yield* decodeBody(stream, encoding, limits);
      } catch (error) {
        throw clock.explain(error);
      } finally {
        await release(stream);
        clock.stop();
      }
    }
  }

  return {
    checkUrl: (text, options) => parseUrl(text, rules, options),
    request: async (options) => {
      const { url, method = 'GET' } = options;
      // The host only: paths and queries may contain secrets.
      const attributes = { 'http.request.method': method, 'server.address': url.hostname };
      return inSpan(method, { kind: 'client', attributes }, () => request(options));
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** Starts the timer of a whole request, which also knows whether it or the caller ended the request. */
function startClock(totalMs: number, signal: AbortSignal | undefined) {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(timedOut('total')), totalMs).unref();
  const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
  return {
    signal: either,
    stop: () => clearTimeout(timer),
    explain: (error: unknown): unknown => (either.aborted ? either.reason : toJobError(error)),
  };
}

/** Reads a short body to its end, so that the connection can be reused, and cuts off a long or slow one. */
async function drain(stream: BodyStream): Promise<void> {
  stream.on('error', () => {});
  await stream.dump({ limit: 16 * 1024, signal: AbortSignal.timeout(1_000) }).catch(() => {});
  await release(stream);
}

/**
 * Closes the connection unless the body was read to its end; then undici needs one more turn before it reuses
 * the connection.
 */
async function release(stream: BodyStream): Promise<void> {
  stream.destroy();
  await setImmediate();
}

type BodyStream = Dispatcher.ResponseData['body'];

function bodyOf({ body }: OutboundRequest): Pick<Hop, 'body'> {
  return body === undefined ? {} : { body };
}

function sent(headers: Record<string, string>, body: RequestBody | undefined) {
  if (body === undefined || body instanceof Uint8Array) return { headers, body: body ?? null };
  if (!('sizeBytes' in body)) return { headers, body: Readable.from(body, { objectMode: false }) };
  return {
    headers: { ...headers, 'content-length': `${body.sizeBytes}` },
    body: Readable.from(body.open(), { objectMode: false }),
  };
}

function requestHeaders(headers: Record<string, string> = {}): Record<string, string> {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  // `host` would also change the name that the certificate is checked for.
  if (lowerCase.some(([name]) => name === 'host'))
    throw new TypeError('The Host header of an outbound request follows from its URL');
  return { 'user-agent': 'bindery', 'accept-encoding': 'gzip, br', ...Object.fromEntries(lowerCase) };
}

// Some servers send a content coding without a body, and an empty body is not valid gzip.
function contentEncoding(status: number, headers: Record<string, string>): string | undefined {
  return status === 204 || status === 304 || headers['content-length'] === '0'
    ? undefined
    : headers['content-encoding'];
}

function responseHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
