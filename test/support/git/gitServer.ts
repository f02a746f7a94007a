import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { runGitHttpBackend } from '../../../apps/cli/src/demo/gitHttpBackend.ts';
import { createGitRepository, type GitRepository, type RepositoryFiles } from './gitRepository.ts';

/** `info` and `pushInfo` are the ref advertisements, `fetch` and `push` the transfers. */
export type GitRequestKind = 'info' | 'pushInfo' | 'fetch' | 'push';

/** Faults of an answer, each off by default. */
export type GitFault = {
  /** Closes the connection after this many bytes of the body. */
  cutAfterBytes?: number;
  /** Ends the body after this many bytes as if it were complete. */
  endAfterBytes?: number;
  /** Waits before the first byte; `Infinity` never answers. */
  delayMs?: number;
  /** Sends this many bytes every 100 ms. */
  dripBytes?: number;
  /** Lets git process the whole request, then answers this status instead; `Infinity` never answers. */
  statusAfterwards?: number;
  /** Answers this status without running git. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
};

export type GitServerOptions = {
  host?: string;
  /** Whether the server offers partial clones (`filter`). Default: yes. */
  allowFilter?: boolean;
  /** Drops the header that requests version 2 of the protocol, like some proxies. */
  isFirstVersionOnly?: boolean;
  /** Basic authentication, for every request or for one kind. */
  login?: { username: string; password: string; onlyFor?: GitRequestKind };
  /** Added to every request, to simulate distance. */
  latencyMs?: number;
  /** Whether anyone may push (git's `http.receivepack`). Default: yes. */
  allowPush?: boolean;
  /** Capabilities that the server does not offer for pushes. */
  withoutPushCapabilities?: readonly string[];
  /** Further git settings for the requests. */
  config?: Record<string, string>;
};

export type GitRequest = {
  kind: GitRequestKind;
  path: string;
  authorization?: string;
  body: Buffer;
  sentBytes: number;
};

/**
 * A real git server on loopback. `faults` may be set and cleared between requests; `requests` are the
 * received ones.
 */
export type GitServer = {
  url: string;
  hostPort: string;
  options: GitServerOptions;
  faults: Map<GitRequestKind, GitFault>;
  requests: GitRequest[];
  /** Path of the repository that all other paths redirect to. */
  moved?: string;
  /** Runs when a request has arrived, before git gets it. */
  beforeAnswer?: (kind: GitRequestKind) => Promise<void>;
  createRepository(name: string, files: RepositoryFiles): Promise<GitRepository & { url: string }>;
  close(): Promise<void>;
};

export async function startGitServer(options: GitServerOptions = {}): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'bindery-git-server-'));
  const host = options.host ?? '127.0.0.1';
  const server = createServer((request, response) => {
    serve(request, response, { root, gitServer }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const hostPort = `${host}:${(server.address() as AddressInfo).port}`;
  const gitServer: GitServer = {
    url: `http://${hostPort}`,
    hostPort,
    options,
    faults: new Map(),
    requests: [],
    createRepository: async (name, files) => ({
      ...(await createGitRepository(join(root, name), files)),
      url: `http://${hostPort}/${name}`,
    }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true, force: true });
    },
  };
  return gitServer;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { root, gitServer }: { root: string; gitServer: GitServer },
): Promise<void> {
  const { options, faults, requests, moved, beforeAnswer } = gitServer;
  const log: GitRequest = {
    kind: kindOf(request),
    path: request.url ?? '',
    authorization: request.headers.authorization,
    body: Buffer.alloc(0),
    sentBytes: 0,
  };
  requests.push(log);
  const fault = faults.get(log.kind) ?? {};

  if (options.latencyMs) await delay(options.latencyMs);
  if (fault.delayMs === Infinity) return;
  if (fault.delayMs) await delay(fault.delayMs);
  const isForAll = options.login?.onlyFor === undefined;
  if (
    options.login &&
    (isForAll || options.login.onlyFor === log.kind) &&
    log.authorization !== basicAuthorization(options.login)
  ) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('no');
    return;
  }
  if (moved && !log.path.startsWith(moved)) {
    response
      .writeHead(302, { location: moved + log.path.slice(log.path.search(/\/(info\/refs|git-)/)) })
      .end();
    return;
  }
  if (fault.status !== undefined) {
    response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    return;
  }
  if (options.isFirstVersionOnly) delete request.headers['git-protocol'];
  await beforeAnswer?.(log.kind);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => (log.body = Buffer.concat(chunks)));
  const answer = await runGitHttpBackend(request, {
    root,
    user: options.login?.username ?? 'anyone',
    config: {
      'uploadpack.allowFilter': String(options.allowFilter ?? true),
      'http.receivepack': String(options.allowPush ?? true),
      ...options.config,
    },
  });
  if (fault.statusAfterwards !== undefined) {
    for await (const _chunk of answer.body);
    if (fault.statusAfterwards !== Infinity) response.writeHead(fault.statusAfterwards).end();
    return;
  }
  response.writeHead(answer.status, { ...answer.headers, ...fault.headers });
  const counted = async function* () {
    const body =
      log.kind === 'pushInfo'
        ? withoutWords(answer.body, options.withoutPushCapabilities ?? [])
        : answer.body;
    for await (const chunk of spoil(body, fault)) {
      log.sentBytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(Readable.from(counted(), { objectMode: false }), response, { end: false });
  if (fault.cutAfterBytes !== undefined && log.sentBytes >= fault.cutAfterBytes) {
    // Flushes written bytes to the socket before closing it.
    response.write('', () => response.destroy());
  } else {
    response.end();
  }
}

/** Replaces words with others of the same length, so that packet lengths stay correct. */
async function* withoutWords(body: AsyncIterable<Buffer>, words: readonly string[]): AsyncGenerator<Buffer> {
  for await (const chunk of body)
    yield Buffer.from(
      words.reduce((text, word) => text.replaceAll(word, 'x'.repeat(word.length)), chunk.toString('latin1')),
      'latin1',
    );
}

async function* spoil(body: AsyncIterable<Buffer>, fault: GitFault): AsyncGenerator<Buffer> {
  let left = fault.cutAfterBytes ?? fault.endAfterBytes ?? Infinity;
  for await (const chunk of body) {
    const step = fault.dripBytes ?? chunk.length;
    for (let from = 0; from < chunk.length && left > 0; from += step) {
      if (fault.dripBytes) await delay(100);
      const piece = chunk.subarray(from, Math.min(from + step, chunk.length)).subarray(0, left);
      left -= piece.length;
      yield piece;
    }
    if (left <= 0) return;
  }
}

function kindOf(request: IncomingMessage): GitRequestKind {
  if (request.url?.includes('/info/refs'))
    return request.url.endsWith('service=git-receive-pack') ? 'pushInfo' : 'info';
  return request.url?.endsWith('/git-receive-pack') ? 'push' : 'fetch';
}

function basicAuthorization({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
