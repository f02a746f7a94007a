import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import {
  type GitFault,
  type GitRequestKind,
  type GitServer,
  startGitServer,
} from '../support/git/gitServer.ts';
import {
  createRemoteReader,
  gitLimits,
  readingProcesses,
  type RemoteReader,
} from '../support/git/readRemote.ts';
import { bound } from '../support/machine.ts';

let server: GitServer;
let url: string;
let reader: RemoteReader;
/** For the many readings whose end has nothing to do with the process that reads. */
let readerHere: RemoteReader;
let whole: Awaited<ReturnType<RemoteReader['readAll']>>;

beforeAll(async () => {
  server = await startGitServer();
  const pages = Array.from({ length: 60 }, (_, i): [string, string] => [
    `folder ${i % 9}/page ${i}.md`,
    `# Page ${i}\n\n${randomText(8_000, i)}\n`,
  ]);
  const repository = await server.createRepository(
    'docs.git',
    new Map([['README.md', '# Home\n'], ...pages]),
  );
  url = repository.url;
  reader = createRemoteReader({ prewarm: true });
  readerHere = createRemoteReader({ hasProcesses: false });
  whole = await reader.readAll({ url });
});

afterEach(() => {
  server.faults.clear();
  server.options.allowFilter = true;
});

afterAll(async () => {
  await reader.close();
  await readerHere.close();
  await server.close();
});

describe('a response that ends too early', () => {
  const cuts = [0, 3, 30, 100, 200, 400, 1_000, 5_000, 200_000];
  const kinds: [kind: GitRequestKind, allowFilter: boolean][] = [
    ['info', true],
    ['fetch', true],
    ['fetch', false],
  ];
  const faults: [name: string, fault: (bytes: number) => GitFault][] = [
    ['broken off', (cutAfterBytes) => ({ cutAfterBytes })],
    ['ended as if complete', (endAfterBytes) => ({ endAfterBytes })],
  ];

  it.each(
    kinds.flatMap(([kind, allowFilter]) =>
      faults.map(([name, fault]) => ({ kind, allowFilter, name, fault })),
    ),
  )(
    'is never taken for a complete one: $kind $name (filter offered: $allowFilter)',
    async ({ kind, allowFilter, fault }) => {
      server.options.allowFilter = allowFilter;
      for (const bytes of cuts) {
        server.faults.set(kind, fault(bytes));
        server.requests.length = 0;
        const outcome = await readerHere.readAll({ url }).catch((error: unknown) => error);
        const wasCut = server.requests.some((request) => request.kind === kind && request.sentBytes >= bytes);
        if (wasCut)
          expect(outcome, `cut at ${bytes}`).toMatchObject({
            code: expect.stringMatching(/^(bad_content|connect|http_status)$/),
            class: 'transient',
          });
        else
          expect(outcome).toMatchObject({ commit: whole.commit, content: whole.content, blobs: whole.blobs });
      }
    },
    60_000,
  );
});

describe('a server that does not behave like a git server', () => {
  it.each<[string, GitFault, object]>([
    [
      'a web page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' },
      { code: 'bad_content', class: 'invalid' },
    ],
    ['a wrong content type', { headers: { 'content-type': 'text/plain' } }, { code: 'bad_content' }],
    [
      'an empty answer',
      { status: 200, headers: { 'content-type': 'application/x-git-upload-pack-advertisement' } },
      { code: 'bad_content' },
    ],
    ['500', { status: 500, body: 'oops' }, { code: 'http_status', class: 'transient' }],
    ['404', { status: 404 }, { code: 'not_found', class: 'not_found' }],
    ['403', { status: 403 }, { code: 'auth' }],
    ['401 forever', { status: 401 }, { code: 'auth' }],
    [
      '429 with Retry-After',
      { status: 429, headers: { 'retry-after': '5' } },
      { code: 'throttled', class: 'throttled', retryAfterMs: 5_000 },
    ],
    [
      'a redirect to another host',
      { status: 302, headers: { location: 'http://127.0.0.9:9/x/info/refs' } },
      { code: 'redirect' },
    ],
    ['a redirect loop', { status: 302, headers: { location: '?again' } }, { code: 'redirect' }],
  ])('fails the reading: %s instead of the refs', async (_, fault, expected) => {
    server.faults.set('info', fault);
    const error: unknown = await readerHere
      .read({ url, username: 'me', password: 'canary-secret' })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject(expected);
    expect(textOf(error)).not.toMatch(/canary|127\.0\.0|oops|Hello/);
  });

  it.each<[string, GitFault, object]>([
    [
      'a web page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' },
      { code: 'bad_content' },
    ],
    ['500', { status: 500 }, { code: 'http_status', class: 'transient' }],
    ['429', { status: 429, headers: { 'retry-after': '2' } }, { code: 'throttled', retryAfterMs: 2_000 }],
  ])('fails the reading: %s instead of the pack', async (_, fault, expected) => {
    server.faults.set('fetch', fault);
    await expect(readerHere.read({ url })).rejects.toMatchObject(expected);
  });

  it('is followed to another path on the same host, for all requests', async () => {
    server.moved = '/docs.git';
    const reading = await readerHere.readAll({ url: `${server.url}/old/place` });
    delete server.moved;
    expect(reading.content).toEqual(whole.content);
  });

  it('gets no request at an address that is not allowed', async () => {
    server.requests.length = 0;
    for (const outbound of [
      { allow: [], refused: [] },
      { allow: [server.hostPort], refused: [server.hostPort] },
    ]) {
      await expect(readerHere.read({ url, outbound })).rejects.toMatchObject({ code: 'refused_address' });
    }
    await expect(
      readerHere.read({ url: `http::${url}`, outbound: { allow: [server.hostPort], refused: [] } }),
    ).rejects.toMatchObject({
      code: 'bad_url',
    });
    expect(server.requests).toEqual([]);
  });
});

describe('a slow server', () => {
  it('runs into the timeout of all transfers', async () => {
    server.faults.set('fetch', { dripBytes: 10 });
    const startedAt = performance.now();
    await expect(reader.read({ url, limits: { ...gitLimits, timeoutMs: 1_500 } })).rejects.toMatchObject({
      code: 'timeout',
      class: 'transient',
    });
    expect(performance.now() - startedAt).toBeLessThan(bound(4_000));
  });

  it.each<GitRequestKind>(['info', 'fetch'])(
    'is abandoned at once when the job is cancelled (%s)',
    async (kind) => {
      server.faults.set(kind, { delayMs: Infinity });
      server.requests.length = 0;
      const controller = new AbortController();
      const reading = reader.read({ url }, { signal: controller.signal }).catch((error: unknown) => error);
      await expect
        .poll(() => server.requests.some((request) => request.kind === kind), { timeout: 10_000 })
        .toBe(true);
      const pids = readingPids();
      expect(pids.length).toBe(1);
      const abortedAt = performance.now();
      controller.abort(new Error('cancelled by its user'));
      expect(await reading).toMatchObject({ message: 'cancelled by its user' });
      expect(performance.now() - abortedAt).toBeLessThan(bound(1_000));
      await expect
        .poll(() => readingPids().filter((pid) => pids.includes(pid)), { timeout: 1_000 })
        .toEqual([]);
    },
  );
});

describe('the reading process', () => {
  it('does not start for a job that is cancelled already', async () => {
    server.requests.length = 0;
    await expect(reader.read({ url }, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
      'too late',
    );
    expect(server.requests).toEqual([]);
  });

  it('fails its job as out of memory when it is killed, and the next job runs', async () => {
    server.faults.set('fetch', { delayMs: Infinity });
    server.requests.length = 0;
    const reading = reader.read({ url }).catch((error: unknown) => error);
    await expect
      .poll(() => server.requests.some(({ kind }) => kind === 'fetch'), { timeout: 10_000 })
      .toBe(true);
    for (const pid of readingPids()) process.kill(pid, 'SIGKILL');
    expect(await reading).toMatchObject({ code: 'memory', class: 'resource' });
    server.faults.clear();
    expect((await reader.readAll({ url })).content).toEqual(whole.content);
  });

  it('is replaced when it is killed while idle', async () => {
    await expect.poll(() => readingPids().length, { timeout: 5_000 }).toBe(1);
    const [pid] = readingPids();
    process.kill(pid!, 'SIGKILL');
    await expect.poll(() => isThere(pid!), { timeout: 5_000 }).toBe(false);
    expect((await reader.readAll({ url })).content).toEqual(whole.content);
  });

  it('ends when the reader closes', async () => {
    const other = createRemoteReader({ prewarm: true });
    await expect.poll(() => readingPids().length, { timeout: 5_000 }).toBe(2);
    await other.close();
    await expect.poll(() => readingPids().length, { timeout: 5_000 }).toBe(1);
  });
});

function readingPids(): number[] {
  return readingProcesses().map(({ pid }) => pid);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function textOf(error: unknown): string {
  const { message, stack, cause } = error as Error;
  return `${JSON.stringify(error)} ${message} ${stack} ${String(cause)}`;
}

/** Deterministic text that hardly compresses. */
function randomText(length: number, seed: number): string {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJ\n'[state % 38];
  }).join('');
}
