import { gzipSync } from 'node:zlib';

import { trimmedEnd } from '@bindery/contract/trimCharacters';
import { JobError } from '@bindery/contract/jobErrors';
import {
  type OpenableBody,
  type Outbound,
  basicAuthorization,
  outboundLimits,
  type OutboundResponse,
  throwForStatus,
} from '@bindery/outbound';

import { megabytes, type RemoteLimits } from './limits.ts';
import { notGit } from './pktLine.ts';
import { noPushes, throwForPushStatus } from './pushStatus.ts';

export type GitLogin = { username: string; password: string };

/** Returns the login of a request; undefined without one. */
export function loginOf({ username = '', password = '' }: Partial<GitLogin>): GitLogin | undefined {
  return username || password ? { username, password } : undefined;
}

/** The services for fetching and for pushing. */
export type GitService = 'git-upload-pack' | 'git-receive-pack';

type GitRequest = {
  service: GitService;
  path: string;
  accept: string;
  body?: Uint8Array | OpenableBody;
  headers?: Record<string, string>;
};

/**
 * The HTTP client for one remote repository: all requests of a reading or a push, within one budget of time
 * and bytes.
 *
 * The login is sent only after the server asks for one, and only once: a second 401 fails. A redirect (same
 * host, at most from http to https) moves the repository for the following requests.
 */
export class GitHttp {
  readonly #outbound: Outbound;
  readonly #login: GitLogin | undefined;
  readonly #limits: RemoteLimits;
  readonly #startedAt = performance.now();
  #base: URL;
  #receivedBytes = 0;
  #isLoginSent = false;
  #isLoginRefused = false;

  constructor(outbound: Outbound, remote: { url: string; login?: GitLogin; limits: RemoteLimits }) {
    this.#outbound = outbound;
    this.#base = outbound.checkUrl(remote.url);
    this.#login = remote.login;
    this.#limits = remote.limits;
  }

  /** The state of the login: `unasked` until the server asks for one. */
  get loginState(): 'unasked' | 'sent' | 'refused' {
    if (this.#isLoginRefused) return 'refused';
    return this.#isLoginSent ? 'sent' : 'unasked';
  }

  /** Reads the server's advertisement: its refs, or with `Git-Protocol: version=2` its commands. */
  advertisement(
    service: GitService,
    headers: Record<string, string> = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    return this.#send({
      service,
      path: `info/refs?service=${service}`,
      accept: `application/x-${service}-advertisement`,
      headers,
    });
  }

  /**
   * Sends one request to `git-upload-pack`. Long ones are compressed, as git does, because some proxies limit
   * bodies to 1 MB.
   */
  uploadPack(lines: string, headers: Record<string, string> = {}): Promise<AsyncIterable<Uint8Array>> {
    const isLong = lines.length > 1024;
    return this.#send({
      service: 'git-upload-pack',
      path: 'git-upload-pack',
      accept: 'application/x-git-upload-pack-result',
      body: isLong ? gzipSync(lines, { level: 1 }) : Buffer.from(lines),
      headers: {
        'content-type': 'application/x-git-upload-pack-request',
        ...(isLong && { 'content-encoding': 'gzip' }),
        ...headers,
      },
    });
  }

  /** Sends one request to `git-receive-pack`. */
  async receivePack(body: OpenableBody): Promise<AsyncIterable<Uint8Array>> {
    // Some servers ask for the login only at this point. As git does, this prompts them with a short request:
    // not every server reads a long request to its end after refusing it.
    if (this.#login && !this.#isLoginSent) await drain(await this.#postToReceivePack(Buffer.from('0000')));
    return this.#postToReceivePack(body);
  }

  #postToReceivePack(body: Uint8Array | OpenableBody): Promise<AsyncIterable<Uint8Array>> {
    const service = 'git-receive-pack';
    const headers = { 'content-type': `application/x-${service}-request` };
    return this.#send({ service, path: service, accept: `application/x-${service}-result`, body, headers });
  }

  async #send(request: GitRequest): Promise<AsyncIterable<Uint8Array>> {
    // Two concurrent requests may both have to be repeated.
    const hasLogin = this.#isLoginSent;
    const response = await this.#request(request);
    if (response.status === 401 && this.#login && !hasLogin) {
      await response.discard();
      this.#isLoginSent = true;
      // To the URL that asked for the login: if http redirected to https, repeating the original URL would
      // send the login unencrypted.
      this.#follow(response.url, request.path);
      return this.#send(request);
    }
    if (response.status === 401 && hasLogin) this.#isLoginRefused = true;
    if (request.service === 'git-receive-pack') throwForPushStatus(response);
    if (response.status === 404) {
      await response.discard();
      throw new JobError(
        'not_found',
        'There is no repository at this URL, or these credentials may not see it.',
        {
          action: 'Check `url` and the credentials in it.',
        },
      );
    }
    throwForStatus(response);
    if (response.headers['content-type']?.split(';')[0]?.trim() !== request.accept) {
      await response.discard();
      throw request.service === 'git-receive-pack' ? noPushes() : notGit();
    }
    this.#follow(response.url, request.path);
    return this.#counted(response.body);
  }

  #request({ path, accept, body, headers }: GitRequest): Promise<OutboundResponse> {
    const url = new URL(this.#base);
    const [pathname, search] = path.split('?');
    url.pathname = `${trimmedEnd(url.pathname, '/')}/${pathname}`;
    url.search = search ?? '';
    const leftBytes = this.#limits.maxPackBytes - this.#receivedBytes;
    return this.#outbound.request({
      url,
      method: body ? 'POST' : 'GET',
      headers: {
        // Some hosts answer only git clients.
        'user-agent': 'git/2.40 (bindery)',
        // Packs are already compressed.
        'accept-encoding': 'identity',
        accept,
        ...headers,
        ...(this.#isLoginSent && this.#login && { authorization: basicAuthorization(this.#login) }),
      },
      body,
      limits: {
        ...outboundLimits.git,
        totalMs: Math.max(1, this.#limits.timeoutMs - (performance.now() - this.#startedAt)),
        // Allows for the framing around the pack; the exact count is below.
        maxBytes: leftBytes * 1.01 + 64 * 1024,
        maxDecodedBytes: leftBytes * 1.01 + 64 * 1024,
      },
      redirects: 'same-host',
    });
  }

  #follow(answeredBy: URL, path: string): void {
    const suffix = `/${path}`;
    if (answeredBy.href.endsWith(suffix)) this.#base = new URL(answeredBy.href.slice(0, -suffix.length));
  }

  async *#counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.#receivedBytes += chunk.length;
      if (this.#receivedBytes > this.#limits.maxPackBytes) throw tooMuchToFetch(this.#limits.maxPackBytes);
      yield chunk;
    }
  }
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of body);
}

function tooMuchToFetch(limitBytes: number): JobError {
  return new JobError('too_large', `The data to fetch for the branch exceeds ${megabytes(limitBytes)}.`, {
    action: 'Remove large files from the branch, or raise BINDERY_GIT_MAX_PACK_MB.',
  });
}
