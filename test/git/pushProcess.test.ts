import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { ExportedContent } from '@bindery/content/export';

import type { ExportPoint, ExportRequest } from '../../apps/worker-git/src/child/repositoryExport.ts';
import {
  createRepositoryReader,
  type RepositoryReader,
  type WriteControl,
} from '../../apps/worker-git/src/child/repositoryReader.ts';
import { type GitServer, startGitServer } from '../support/git/gitServer.ts';
import { gitLimits, readingProcesses } from '../support/git/readRemote.ts';
import { blobOid, writtenAt } from '../support/git/writeRemote.ts';

let server: GitServer;
let reader: RepositoryReader;
let folder: string;
let names = 0;

beforeAll(async () => {
  server = await startGitServer();
  reader = createRepositoryReader({ prewarm: true, memoryMb: gitLimits.memoryMb });
  folder = mkdtempSync(join(tmpdir(), 'bindery-git-push-'));
  // The users of child processes pass through it.
  chmodSync(folder, 0o711);
});

afterEach(() => {
  server.faults.clear();
  server.requests.length = 0;
});

afterAll(async () => {
  await reader.close();
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

const now = '2026-01-01T00:00:00.000Z';
const body = (n: number) => `# Page ${n}\n\nText of page ${n}.\n`;
const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A space of some pages, and perhaps one file. */
function space(pages: number, file?: { blob: string; sizeBytes: number }): ExportedContent {
  return {
    pages: Array.from({ length: pages }, (_, n) => ({
      type: 'document' as const,
      id: `page${n}`,
      title: `Page ${n}`,
      slug: `page-${n}`,
      path: `page-${n}`,
      createdAt: now,
      updatedAt: now,
      document: hashOf(body(n)),
      pages: [],
    })),
    files: file ? [{ id: 'file', name: 'large.bin', contentType: 'application/octet-stream', ...file }] : [],
    reusableContents: [],
    variables: [],
    redirects: [],
  };
}

/** The answers of a parent process for the pages of `space`. */
const asks: Omit<WriteControl, 'signal' | 'contents'> = {
  onStage: () => {},
  onPoint: async () => {},
  texts: async () => undefined,
  documents: async (hashes) => {
    const all = new Map(
      Array.from({ length: 300 }, (_, n) => [
        hashOf(body(n)),
        { frontmatter: Buffer.alloc(0), body: Buffer.from(body(n)) },
      ]),
    );
    return new Map(hashes.flatMap((hash) => (all.has(hash) ? [[hash, all.get(hash)!]] : [])));
  },
  files: async () => ({ spool: '', files: new Map() }),
  unrecorded: async () => undefined,
  ready: async () => {},
};

async function newRequest(content: ExportedContent): Promise<{
  request: ExportRequest;
  contents: WriteControl['contents'];
  repository: Awaited<ReturnType<GitServer['createRepository']>>;
}> {
  names += 1;
  const repository = await server.createRepository(`r${names}.git`, {});
  return {
    repository,
    contents: async () => ({ content }),
    request: {
      url: repository.url,
      ref: 'refs/heads/main',
      projectDirectory: '',
      canMerge: false,
      force: false,
      dryRun: false,
      commit: {
        message: 'Write\n\nBindery-Job: job_1\n',
        author: { name: 'Ada', email: 'ada@example.com' },
        at: writtenAt,
      },
      outbound: { allow: [server.hostPort], refused: [] },
      limits: gitLimits,
      workFolder: mkdtempSync(join(folder, 'w-')),
    },
  };
}

const never = () => new AbortController().signal;

describe('the writing process', () => {
  it('asks for the documents that it needs, reports its points and pushes', async () => {
    const { request, contents, repository } = await newRequest(space(250));
    const points: ExportPoint[] = [];
    const asked: string[] = [];
    const outcome = await reader.write(request, {
      ...asks,
      contents,
      signal: never(),
      onPoint: async (point) => void points.push(point),
      documents: (hashes) => {
        asked.push(...hashes);
        return asks.documents(hashes);
      },
    });
    expect(outcome).toMatchObject({ kind: 'pushed', commit: await repository.oid('main') });
    expect(points).toEqual(['refs_read', 'trees_read', 'tree_built', 'committed', 'pushed']);
    expect(new Set(asked).size).toBe(250);
    expect((await repository.git(['cat-file', 'blob', 'main:page-7.md'])).toString()).toBe(body(7));
    expect((await repository.git(['fsck', '--strict', '--no-dangling'])).toString()).toBe('');
  });

  it('pushes nothing when the preparation for the push fails', async () => {
    const { request, contents, repository } = await newRequest(space(2));
    const ready = async () => {
      throw new Error('the job was taken over');
    };
    await expect(reader.write(request, { ...asks, contents, signal: never(), ready })).rejects.toThrow(
      'the job was taken over',
    );
    const onPoint = async (point: ExportPoint) => {
      if (point === 'committed') throw new Error('broken here');
    };
    // The process asks whether it may push right after it has told the point: the answer would race with its
    // end.
    const noAnswer = () => new Promise<void>(() => {});
    await expect(
      reader.write(
        { ...request, workFolder: mkdtempSync(join(folder, 'w-')) },
        { ...asks, contents, signal: never(), onPoint, ready: noAnswer },
      ),
    ).rejects.toThrow('broken here');
    // On a busy machine the server may note a push of an earlier test only now.
    const { pathname } = new URL(repository.url);
    expect(server.requests.filter(({ kind, path }) => kind === 'push' && path.startsWith(pathname))).toEqual(
      [],
    );
    await expect(repository.oid('main')).rejects.toThrow('rev-parse');
  });

  it('passes errors on unchanged, and ends with the job', async () => {
    const { request, contents } = await newRequest(space(2));
    server.faults.set('pushInfo', { status: 403 });
    await expect(reader.write(request, { ...asks, contents, signal: never() })).rejects.toMatchObject({
      code: 'auth',
      class: 'auth',
      action: expect.stringContaining('allowed to write'),
    });
    server.faults.set('pushInfo', { delayMs: Infinity });
    const controller = new AbortController();
    const written = reader.write(
      { ...request, workFolder: mkdtempSync(join(folder, 'w-')) },
      { ...asks, contents, signal: controller.signal },
    );
    await expect
      .poll(() => server.requests.filter(({ kind }) => kind === 'pushInfo').length, { timeout: 10_000 })
      .toBe(2);
    controller.abort(new Error('cancelled by its user'));
    await expect(written).rejects.toThrow('cancelled by its user');
  });

  it('does not hold a large file in memory', async () => {
    const large = randomBytes(60 * 1024 * 1024);
    const blob = hashOf(large);
    const { request, contents, repository } = await newRequest(space(3, { blob, sizeBytes: large.length }));
    const spool = join(request.workFolder, 'files');
    writeFileSync(spool, large);
    let peakBytes = 0;
    const watch = setInterval(() => {
      for (const process of readingProcesses()) peakBytes = Math.max(peakBytes, process.peakBytes);
    }, 20);
    const outcome = await reader.write(request, {
      ...asks,
      contents,
      signal: never(),
      files: async (blobs) => ({
        spool,
        files: new Map(blobs.map((hash) => [hash, { oid: blobOid(large), offset: 0, length: large.length }])),
      }),
    });
    clearInterval(watch);
    expect(outcome.kind).toBe('pushed');
    const path = outcome.kind === 'pushed' ? outcome.changes.find(({ kind }) => kind === 'file')!.path : '';
    expect(await repository.oid(`main:${path}`)).toBe(blobOid(large));
    expect(peakBytes).toBeGreaterThan(0);
    expect(peakBytes).toBeLessThan(150 * 1024 * 1024);
  }, 60_000);
});
