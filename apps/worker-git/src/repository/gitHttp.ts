import { gzipSync } from 'node:zlib';

import { JobError } from '@bindery/contract';
import { type Outbound, outboundLimits, type OutboundResponse, throwForStatus } from '@bindery/outbound';

import { type GitLimits, megabytes } from './gitLimits.ts';
import { notGit } from './pktLine.ts';

export type GitLogin = { username: string; password: string };

type GitRequest = { path: string; accept: string; body?: Uint8Array; headers?: Record<string, string> };

/**
 * The HTTP side of one remote repository: every request of a reading, in one budget of time and bytes.
 *
 * The login is sent only after the server asked for one, and only once: a second 401 ends it. A redirect (same host, at most up to
 * https) moves the repository for the requests that follow.
 */
export class GitHttp {
  readonly #outbound: Outbound;
  readonly #login: GitLogin | undefined;
  readonly #limits: GitLimits;
  readonly #startedAt = performance.now();
  #base: URL;
  #receivedBytes = 0;
  #isLoginSent = false;

  constructor(outbound: Outbound, remote: { url: string; login?: GitLogin; limits: GitLimits }) {
    this.#outbound = outbound;
    this.#base = outbound.checkUrl(remote.url);
    this.#login = remote.login;
    this.#limits = remote.limits;
  }

  /** What the server offers for fetching: its refs, or with `Git-Protocol: version=2` its commands. */
  advertisement(headers: Record<string, string> = {}): Promise<AsyncIterable<Uint8Array>> {
    const accept = 'application/x-git-upload-pack-advertisement';
    return this.#send({ path: 'info/refs?service=git-upload-pack', accept, headers });
  }

  /** One request to `git-upload-pack`. Long ones are compressed, as git does: some proxies allow bodies of 1 MB. */
  uploadPack(lines: string, headers: Record<string, string> = {}): Promise<AsyncIterable<Uint8Array>> {
    const isLong = lines.length > 1024;
    return this.#send({
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

  async #send(request: GitRequest): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.#request(request);
    if (response.status === 401 && this.#login && !this.#isLoginSent) {
      await response.discard();
      this.#isLoginSent = true;
      return this.#send(request);
    }
    if (response.status === 404) {
      await response.discard();
      throw new JobError('not_found', 'There is no repository at this URL, or these credentials may not see it.', {
        action: 'Check `url` and the credentials in it.',
      });
    }
    throwForStatus(response);
    if (response.headers['content-type']?.split(';')[0]?.trim() !== request.accept) {
      await response.discard();
      throw notGit();
    }
    this.#follow(response.url, request.path);
    return this.#counted(response.body);
  }

  #request({ path, accept, body, headers }: GitRequest): Promise<OutboundResponse> {
    const url = new URL(this.#base);
    const [pathname, search] = path.split('?');
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${pathname}`;
    url.search = search ?? '';
    const leftBytes = this.#limits.maxPackBytes - this.#receivedBytes;
    return this.#outbound.request({
      url,
      method: body ? 'POST' : 'GET',
      headers: {
        // Some hosts answer only what looks like git.
        'user-agent': 'git/2.40 (bindery)',
        // Packs are compressed already.
        'accept-encoding': 'identity',
        accept,
        ...headers,
        ...(this.#isLoginSent && this.#login && { authorization: basic(this.#login) }),
      },
      ...(body && { body }),
      limits: {
        ...outboundLimits.git,
        totalMs: Math.max(1, this.#limits.timeoutMs - (performance.now() - this.#startedAt)),
        // Framing comes on top of the pack; what counts exactly is below.
        maxBytes: leftBytes * 1.01 + 64 * 1024,
        maxDecodedBytes: leftBytes * 1.01 + 64 * 1024,
      },
      redirects: 'git',
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

function tooMuchToFetch(limitBytes: number): JobError {
  return new JobError('too_large', `Fetching the branch takes more than ${megabytes(limitBytes)}.`, {
    action: 'Remove large files from the branch, or raise BINDERY_GIT_MAX_PACK_MB.',
  });
}

function basic({ username, password }: GitLogin): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
