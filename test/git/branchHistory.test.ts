import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { BranchHistory, HistoryAsked } from '../../apps/worker-git/src/child/branchHistory.ts';
import type { GitRepository } from '../support/git/gitRepository.ts';
import { bound } from '../support/machine.ts';
import { type GitServer, startGitServer } from '../support/git/gitServer.ts';
import { randomHistory, writeHistory, type CommitToWrite } from '../support/git/randomHistory.ts';
import { createRemoteReader, knownOf, type RemoteReader } from '../support/git/readRemote.ts';
import { suiteSeed } from '../support/seededRandom.ts';

let server: GitServer;
let reader: RemoteReader;

beforeAll(async () => {
  server = await startGitServer();
  reader = createRemoteReader({ hasProcesses: false });
});
afterEach(() => {
  server.requests.length = 0;
  server.options = {};
  server.faults.clear();
  delete server.beforeAnswer;
});
afterAll(async () => {
  await reader.close();
  await server.close();
});

type Repository = GitRepository & { url: string };

/** The history of a page after several readings, each of which continues the one before. */
type Known = Map<string, { at: number | undefined; by: string[]; isThere: boolean }>;

async function historyOf(
  repository: Repository,
  options: { history?: HistoryAsked; projectDirectory?: string; ref?: string } = {},
): Promise<Extract<BranchHistory, { kind: 'read' }>> {
  const { history } = await reader.read({ url: repository.url, history: {}, ...options });
  if (history?.kind !== 'read') throw new Error(`The history was not read: ${JSON.stringify(history)}.`);
  return history;
}

function joined(
  before: Known,
  { isContinued, people, touches }: Extract<BranchHistory, { kind: 'read' }>,
): Known {
  const known: Known = isContinued ? new Map(before) : new Map();
  for (const { path, base, oid, at, by } of touches) {
    const emails = [
      ...by.map((index) => people[index]!.email),
      ...(isContinued ? (before.get(base)?.by ?? []) : []),
    ];
    known.set(path, { at, by: [...new Set(emails)], isThere: oid !== '' });
  }
  return known;
}

/** The same from `git log`. Authors of a merge are those of the commits that it brings, if any. */
async function judge(repository: Repository, { isFollowing = false } = {}): Promise<Known> {
  const log = async (args: string[], path: string) => {
    const out = await repository.git(['log', '--format=%H %ct %ae %P', ...args, '--', path]);
    return out
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' '));
  };
  const files = (await repository.git(['ls-tree', '-r', '--name-only', 'main'])).toString().split('\n');
  const known: Known = new Map();
  for (const path of files.filter((file) => file.endsWith('.md'))) {
    const args = ['--first-parent', ...(isFollowing ? ['--follow', '-M100%'] : []), 'main'];
    const lines = await log(args, path);
    const by: string[] = [];
    for (const [oid, , email, , second] of lines) {
      const range = `${oid}^1..${oid}`;
      const merged = second === undefined ? [] : await log(['--no-merges', '--full-history', range], path);
      by.push(...(merged.length > 0 ? merged.map(([, , writer]) => writer!) : [email!]));
    }
    known.set(path, { at: Number(lines[0]![1]), by: [...new Set(by)], isThere: true });
  }
  return known;
}

const sorted = (known: Known) =>
  [...known].filter(([, { isThere }]) => isThere).toSorted(([a], [b]) => (a < b ? -1 : 1));

let repositories = 0;
const newRepository = () => server.createRepository(`history-${(repositories += 1)}.git`, {});

async function repositoryWith(commits: CommitToWrite[]): Promise<Repository> {
  const repository = await newRepository();
  await writeHistory(repository, commits);
  return repository;
}

describe('the history of pages', () => {
  it('matches git log --first-parent, with the authors of merged commits', async () => {
    for (let seed = suiteSeed; seed < suiteSeed + 6; seed += 1) {
      const repository = await repositoryWith(randomHistory(seed, { length: 40 }));
      const history = await historyOf(repository);
      expect(history).toMatchObject({ isContinued: false, commit: await repository.oid('main') });
      expect(history.cutAt).toBeUndefined();
      expect(sorted(joined(new Map(), history)), `seed ${seed}`).toEqual(sorted(await judge(repository)));
    }
  });

  it('follows moved files whose content is unchanged, as git log --follow does', async () => {
    for (let seed = suiteSeed; seed < suiteSeed + 4; seed += 1) {
      const repository = await repositoryWith(randomHistory(seed, { length: 30, moves: true }));
      const known = joined(new Map(), await historyOf(repository));
      expect(sorted(known), `seed ${seed}`).toEqual(sorted(await judge(repository, { isFollowing: true })));
    }
  });

  it('continues from the commit that was read last', async () => {
    const commits = randomHistory(suiteSeed, { length: 60 });
    // Only commits that all earlier ones lead to can be the head of the branch.
    const heads = [0, 1, 2, 5, 20, 40].map((from) =>
      commits.findIndex((_, i) => i >= from && isHead(commits, i)),
    );
    const repository = await newRepository();
    let known: Known = new Map();
    let last: HistoryAsked['last'];
    for (const head of new Set([...heads, commits.length - 1])) {
      await writeHistory(repository, commits.slice(0, head + 1));
      const { kind: _, ...history } = await historyOf(repository, { history: last ? { last } : {} });
      expect(history.isContinued).toBe(last !== undefined);
      known = joined(known, { kind: 'read', ...history });
      last = { commit: history.commit, folder: history.folder! };
    }
    expect(sorted(known)).toEqual(sorted(await judge(repository)));
  });

  it('reads a single new commit from objects that the import has already fetched', async () => {
    const repository = await repositoryWith([
      {
        files: { 'README.md': '# One\n', 'guide/a.md': '# A\n' },
        author: 'Ada <ada@example.org>',
        at: 1_000,
      },
      { files: { 'guide/a.md': '# B\n' }, author: 'Bob <bob@example.org>', at: 2_000 },
    ]);
    const first = await reader.readAll({ url: repository.url, history: {} });
    if (first.history?.kind !== 'read') throw new Error('The history was not read.');
    expect(server.requests.map(({ kind }) => kind)).toEqual(['info', 'fetch', 'fetch', 'fetch', 'fetch']);
    await repository.commit({ 'guide/a.md': '# C\n' }, { author: 'Cy' });
    server.requests.length = 0;
    const { commit, folder = '' } = first.history;
    const loadKnown = async () => knownOf(first);
    const asked = { url: repository.url, history: { last: { commit, folder } } };
    const { history } = await reader.read(asked, { loadKnown });
    expect(history).toMatchObject({
      isContinued: true,
      people: [{ name: 'Cy' }],
      touches: [{ path: 'guide/a.md', base: 'guide/a.md', at: 1_700_000_000, by: [0] }],
    });
    // Its trees, and the changed page.
    expect(server.requests.map(({ kind }) => kind)).toEqual(['info', 'fetch', 'fetch']);
  });

  it('makes no extra request when the branch has no new commit, or only its first', async () => {
    const repository = await newRepository();
    const commit = await repository.commit({ 'README.md': '# One\n' });
    expect((await historyOf(repository)).touches).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
    server.requests.length = 0;
    const known = { commit };
    const again = await reader.read({ url: repository.url, known, history: { last: { commit } } });
    expect(again).toEqual({ unchanged: true, commit: { oid: commit } });
    expect(server.requests).toHaveLength(1);
  });

  it('starts again when the branch was rewritten', async () => {
    const repository = await repositoryWith(randomHistory(1, { length: 10 }));
    const { commit, folder } = await historyOf(repository);
    await writeHistory(repository, randomHistory(2, { length: 70 }));
    const history = await historyOf(repository, { history: { last: { commit, folder: folder! } } });
    expect(history.isContinued).toBe(false);
    expect(sorted(joined(new Map(), history))).toEqual(sorted(await judge(repository)));
  });

  it('continues over more commits than its first request asks for', async () => {
    const commits = Array.from({ length: 200 }, (_, i) => ({
      files: { [`p${i % 7}.md`]: `Text ${i}\n` },
      author: `A${i % 5} <a${i % 5}@example.org>`,
      at: 1_000 + i,
    }));
    const repository = await repositoryWith(commits.slice(0, 50));
    const { commit, folder, ...first } = await historyOf(repository);
    await writeHistory(repository, commits);
    const history = await historyOf(repository, { history: { last: { commit, folder: folder! } } });
    expect(history.isContinued).toBe(true);
    const known = joined(joined(new Map(), { commit, ...first }), history);
    expect(sorted(known)).toEqual(sorted(await judge(repository)));
  });

  it('covers only the folder of the space', async () => {
    const repository = await repositoryWith([
      { files: { 'code.md': 'x\n' }, author: 'Ada <ada@example.org>', at: 1_000 },
      { files: { 'docs/README.md': '# One\n' }, author: 'Bob <bob@example.org>', at: 2_000 },
      { files: { 'code.md': 'y\n' }, author: 'Cy <cy@example.org>', at: 3_000 },
    ]);
    const { people, touches } = await historyOf(repository, { projectDirectory: 'docs' });
    expect(people).toEqual([{ name: 'Bob', email: 'bob@example.org' }]);
    expect(touches).toMatchObject([{ path: 'docs/README.md', at: 2_000 }]);
  });

  it('follows an annotated tag to its commit', async () => {
    const repository = await repositoryWith(randomHistory(3, { length: 10 }));
    await repository.git([
      '-c',
      'user.name=T',
      '-c',
      'user.email=t@e.org',
      'tag',
      '-a',
      'v1',
      '-m',
      'T',
      'main',
    ]);
    const history = await historyOf(repository, { ref: 'refs/tags/v1' });
    expect(sorted(joined(new Map(), history))).toEqual(sorted(await judge(repository)));
  });

  it('is skipped when the server would send all files with it', async () => {
    server.options.allowFilter = false;
    const repository = await repositoryWith(randomHistory(4, { length: 10 }));
    const { history, unchanged } = await reader.read({ url: repository.url, history: {} });
    expect(unchanged).toBe(false);
    expect(history).toEqual({ kind: 'unsupported', commit: await repository.oid('main') });
  });

  it('is read from servers that filter files but not trees, and over protocol version 1', async () => {
    const repository = await repositoryWith(randomHistory(5, { length: 20 }));
    const expected = sorted(await judge(repository));
    server.options.config = { 'uploadpackfilter.tree.allow': 'false' };
    expect(sorted(joined(new Map(), await historyOf(repository)))).toEqual(expected);
    server.options = { isFirstVersionOnly: true, config: { 'uploadpack.allowAnySHA1InWant': 'true' } };
    expect(sorted(joined(new Map(), await historyOf(repository)))).toEqual(expected);
  });

  it('can fail while the import still succeeds', async () => {
    const repository = await repositoryWith(randomHistory(6, { length: 10 }));
    server.beforeAnswer = async () => {
      const fetches = server.requests.filter(({ kind }) => kind === 'fetch');
      if (fetches.length === 2) server.faults.set('fetch', { status: 500 });
    };
    const { history, unchanged } = await reader.read({ url: repository.url, history: {} });
    expect(unchanged).toBe(false);
    expect(history).toEqual({ kind: 'failed', message: 'The server answered with status 500.' });
  });

  it.each([
    ['ISO-8859-1', Buffer.from('J\xfcrgen', 'latin1'), 'Jürgen'],
    ['windows-1251', Buffer.from([0xc8, 0xe2, 0xe0, 0xed]), 'Иван'],
    ['Shift_JIS', Buffer.from([0x8e, 0x52, 0x93, 0x63]), '山田'],
    ['no-such-encoding', Buffer.from('Zoë'), 'Zoë'],
    ['utf-8', Buffer.from([0x41, 0xff, 0x42]), 'A\ufffdB'],
  ])('reads names in the encoding of their commit: %s', async (encoding, bytes, name) => {
    const author = `${bytes.toString('latin1')} <a@example.org>`;
    const message = Buffer.concat([
      Buffer.from('Change\n\nCo-authored-by: X'),
      bytes,
      Buffer.from(' <x@example.org>\nCO-AUTHORED-BY: Bot <b@example.org>\nCo-authored-by: \n'),
    ]);
    const repository = await repositoryWith([
      { files: { 'README.md': '# One\n' }, author, at: 1_000, encoding, message },
    ]);
    const { people, touches } = await historyOf(repository);
    expect(people).toEqual([
      { name, email: 'a@example.org' },
      { name: `X${name}`, email: 'x@example.org' },
      { name: 'Bot', email: 'b@example.org' },
    ]);
    expect(touches).toMatchObject([{ by: [0, 1, 2] }]);
  });

  it(
    'reads the last part of a history that is longer than the limit',
    async () => {
      const commits = function* (): Generator<CommitToWrite> {
        for (let at = 0; at < 100_000; at += 1)
          yield {
            files: { [at < 10 ? `old${at}.md` : `p${at % 10}.md`]: `${at}\n` },
            author: 'Ada <a@e.org>',
            at,
          };
      };
      const repository = await newRepository();
      await writeHistory(repository, commits());
      const startedAt = performance.now();
      const history = await historyOf(repository);
      expect(performance.now() - startedAt).toBeLessThan(bound(20_000));
      expect(history.touches.map(({ path }) => path).toSorted()).toEqual(
        Array.from({ length: 10 }, (_, i) => `p${i}.md`),
      );
      expect(history.touches.find(({ path }) => path === 'p9.md')).toMatchObject({ at: 99_999 });
      expect(history.cutAt).toBe(await repository.oid('main~9998'));
    },
    bound(180_000),
  );
});

/** Whether no later commit goes on from one before this one. */
function isHead(commits: readonly CommitToWrite[], index: number): boolean {
  return commits.slice(index + 1).every(({ parents = [] }) => parents.every((parent) => parent >= index));
}
