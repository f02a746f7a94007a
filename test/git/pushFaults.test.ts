import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { GitRepository } from '../support/git/gitRepository.ts';
import {
  type GitFault,
  type GitRequestKind,
  type GitServer,
  startGitServer,
} from '../support/git/gitServer.ts';
import { gitLimits } from '../support/git/readRemote.ts';
import { createRemoteWriter, inStepWith, type RemoteWriter, text } from '../support/git/writeRemote.ts';

let server: GitServer;
let writer: RemoteWriter;
let repository: GitRepository & { url: string };
let head: string;

beforeAll(async () => {
  server = await startGitServer();
  writer = createRemoteWriter();
  const pages = Array.from({ length: 40 }, (_, i): [string, string] => [
    `folder ${i % 9}/page ${i}.md`,
    `# Page ${i}\n\n${'text '.repeat(i * 10)}\n`,
  ]);
  repository = await server.createRepository('docs.git', new Map([['README.md', '# Home\n'], ...pages]));
  head = await repository.oid('main');
});

afterEach(() => {
  server.faults.clear();
  server.options = {};
});

afterAll(async () => {
  writer.close();
  await server.close();
});

describe('a response that ends too early', () => {
  const cuts = [0, 3, 10, 30, 45, 49, 100, 200, 400, 1_000];
  const faults: [name: string, fault: (bytes: number) => GitFault][] = [
    ['broken off', (cutAfterBytes) => ({ cutAfterBytes })],
    ['ended as if complete', (endAfterBytes) => ({ endAfterBytes })],
  ];
  const kinds: [kind: GitRequestKind, without: string[]][] = [
    ['info', []],
    ['fetch', []],
    ['pushInfo', []],
    ['push', []],
    ['push', ['side-band-64k']],
  ];
  const cases = kinds.flatMap(([kind, without]) =>
    faults.map(([name, fault]) => ({ kind, name, fault, without })),
  );

  it.each(cases)(
    'is never taken for success, and the retry ends with one commit: $kind $name, without $without',
    async ({ kind, fault, without }) => {
      server.options.withoutPushCapabilities = without;
      for (const bytes of cuts) {
        await repository.git(['update-ref', 'refs/heads/main', head]);
        server.faults.set(kind, fault(bytes));
        server.requests.length = 0;
        let noted: { commit: string; parent?: string } | undefined;
        const writing = {
          url: repository.url,
          ...inStepWith(head),
          changes: [text('README.md', `# Cut ${bytes}\n`)],
          ready: async ({ commit, parent }: { commit: string; parent?: string }) => {
            noted = { commit, ...(parent !== undefined && { parent }) };
          },
        };
        const outcome: unknown = await writer.write(writing).catch((error: unknown) => error);
        const wasCut = server.requests.some((request) => request.kind === kind && request.sentBytes >= bytes);
        if (wasCut)
          expect(outcome, `cut at ${bytes}`).toMatchObject({
            code: expect.stringMatching(/^(bad_content|connect|http_status)$/),
            class: 'transient',
          });
        else expect(outcome, `cut at ${bytes}`).toMatchObject({ outcome: { kind: 'pushed' } });
        if (kind !== 'push') expect(await repository.oid('main')).toBe(wasCut ? head : noted?.commit);

        server.faults.clear();
        const { outcome: second } = await writer.write({ ...writing, ...(noted && { earlier: noted }) });
        expect(second).toMatchObject({ commit: await repository.oid('main') });
        expect(await repository.oid('main^')).toBe(head);
      }
    },
    120_000,
  );
});

describe('a slow server', () => {
  it.each<GitRequestKind>(['pushInfo', 'push'])('runs into the timeout (%s)', async (kind) => {
    server.faults.set(kind, { delayMs: Infinity });
    await repository.git(['update-ref', 'refs/heads/main', head]);
    const limits = { ...gitLimits, timeoutMs: 1_500 };
    const written = writer.write({
      url: repository.url,
      ...inStepWith(head),
      changes: [text('README.md', 'slow\n')],
      limits,
    });
    await expect(written).rejects.toMatchObject({ code: 'timeout', class: 'transient' });
    expect(await repository.oid('main')).toBe(head);
  });
});
