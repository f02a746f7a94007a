import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { JobError } from '@bindery/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { objectId, writeDelta, writePack, type PackEntry } from '../support/git/gitPack.ts';
import { packet, startLyingGitServer, type Lie, type LyingGitServer } from '../support/git/lyingGitServer.ts';
import {
  createRemoteReader,
  gitLimits,
  readingProcesses,
  type RemoteReader,
} from '../support/git/readRemote.ts';
import { bound } from '../support/machine.ts';

vi.setConfig({ testTimeout: 60_000 });

const MB = 1024 * 1024;
/** The memory that no reading may exceed, whatever the server sends. */
const mostMemory = 1024 * MB;

let server: LyingGitServer;
let reader: RemoteReader;
beforeAll(async () => {
  server = await startLyingGitServer();
  reader = createRemoteReader({ prewarm: true });
});
afterAll(async () => {
  expect((await readLie(good)).outcome).toMatchObject({ content: { pages: [{ title: 'Home' }] } });
  await reader.close();
  await server.close();
});

type Limits = Partial<typeof gitLimits>;

/** How a reading ends, and the most memory that its process had. */
async function readLie(lie: Lie, limits: Limits = {}) {
  let peakBytes = 0;
  const sampling = setInterval(
    () => (peakBytes = Math.max(peakBytes, ...readingProcesses().map((process) => process.peakBytes))),
    10,
  );
  try {
    const outcome: unknown = await reader
      .readAll({ url: server.tell(lie), limits: { ...gitLimits, ...limits } })
      .catch((error: unknown) => error);
    return { outcome, peakBytes };
  } finally {
    clearInterval(sampling);
  }
}

/** The reading fails as expected, and says so without repeating anything of the server. */
async function expectRefusal(
  lie: Lie,
  code: string,
  { limits, memory = mostMemory }: { limits?: Limits; memory?: number } = {},
) {
  const { outcome, peakBytes } = await readLie(lie, limits);
  expect(outcome).toBeInstanceOf(JobError);
  expect(outcome).toMatchObject({ code: expect.stringMatching(new RegExp(`^(${code})$`)) });
  const { message, action } = outcome as JobError;
  expect(`${message} ${action}`).not.toMatch(/canary|127\.0/);
  // The message or the action says what to do.
  expect(action ?? message).toMatch(/[Cc]heck|Remove|Import|Try|Use|Delete|Shorten|Split/);
  expect(peakBytes).toBeLessThan(memory);
}

const page = Buffer.from('# Home\n');
const blob = (content: Uint8Array, claimedSize?: number): PackEntry => ({
  type: 'blob',
  content,
  ...(claimedSize !== undefined && { claimedSize }),
});
const treeOf = (...lines: [mode: string, name: string, oid: string][]) =>
  Buffer.concat(
    lines.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
  );
const commitOf = (tree: string, text = 'Words\n') =>
  Buffer.from(`tree ${tree}\nauthor A <a@b> 1700000000 +0000\ncommitter A <a@b> 1700000000 +0000\n\n${text}`);
const onePage = treeOf(['100644', 'README.md', objectId('blob', page)]);
const commit = commitOf(objectId('tree', onePage));
const head = objectId('commit', commit);
const whole: PackEntry[] = [
  { type: 'commit', content: commit },
  { type: 'tree', content: onePage },
  { type: 'blob', content: page },
];
const main: Lie['refs'] = [[head, 'refs/heads/main']];
const good: Lie = { refs: main, pack: () => writePack(whole) };
/** A repository with this tree, and these objects beside it. */
const repository = (tree: Buffer, ...others: PackEntry[]): Lie => {
  const of = commitOf(objectId('tree', tree));
  return {
    refs: [[objectId('commit', of), 'refs/heads/main']],
    pack: () => writePack([{ type: 'commit', content: of }, { type: 'tree', content: tree }, ...others]),
  };
};

describe('a pack', () => {
  it('is read when it is valid', async () => {
    expect((await readLie(good)).outcome).toMatchObject({
      commit: { oid: head },
      content: { pages: [{ title: 'Home' }] },
    });
  });

  const absent = 'ab'.repeat(20);
  const other = 'cd'.repeat(20);
  it.each<[what: string, pack: () => Buffer]>([
    ['with a wrong checksum', () => Buffer.concat([writePack(whole).subarray(0, -20), Buffer.alloc(20)])],
    ['that is cut in the middle', () => writePack(whole).subarray(0, 150)],
    ['with bytes behind it', () => Buffer.concat([writePack(whole), Buffer.from('more')])],
    ['that is none', () => Buffer.from('<html>canary</html>')],
    ['without its commit', () => writePack(whole.slice(1))],
    ['without its tree', () => writePack([whole[0]!, whole[2]!])],
    ['without a page', () => writePack(whole.slice(0, 2))],
    ['of nothing', () => writePack([])],
    [
      'with a delta whose base is nowhere',
      () => writePack([...whole, { type: 'delta', base: absent, delta: writeDelta(7, 7, [[0, 7]]) }]),
    ],
    [
      'with deltas that wait for each other',
      () =>
        writePack([
          ...whole,
          { type: 'delta', base: absent, delta: writeDelta(7, 7, [[0, 7]]) },
          { type: 'delta', base: other, delta: writeDelta(7, 7, [[0, 7]]) },
        ]),
    ],
    ['with more objects in its header than in it', () => writePack(whole, { count: 4 })],
    ['with fewer objects in its header than in it', () => writePack(whole, { count: 2 })],
  ])('%s is bad content', (_, pack) => expectRefusal({ refs: main, pack }, 'bad_content'));

  it('is bad content when its commit names a page as its tree, or the ref names a page', async () => {
    const strange = commitOf(objectId('blob', page));
    const refs: Lie['refs'] = [[objectId('commit', strange), 'refs/heads/main']];
    await expectRefusal(
      { refs, pack: () => writePack([{ type: 'commit', content: strange }, ...whole]) },
      'bad_content',
    );
    await expectRefusal(
      { refs: [[objectId('blob', page), 'refs/heads/main']], pack: () => writePack(whole) },
      'bad_content',
    );
  });

  it('exceeds the limit with four billion objects', () =>
    expectRefusal({ refs: main, pack: () => writePack(whole, { count: 0xffff_ffff }) }, 'limit'));

  it('exceeds the limit when it grows by deltas of deltas', async () => {
    const base = Buffer.alloc(60_000, 'a');
    const entries: PackEntry[] = [blob(base)];
    // Each is the one before, 20 times: 60 KB, 1 MB, 24 MB, 480 MB, 9 GB.
    for (let size = base.length; size < 20 ** 4 * base.length; size *= 20) {
      const steps = Array.from({ length: 20 }, (): [number, number][] =>
        Array.from({ length: Math.ceil(size / 0xff_ffff) }, (_, i) => [
          i * 0xff_ffff,
          Math.min(0xff_ffff, size - i * 0xff_ffff),
        ]),
      );
      entries.push({
        type: 'delta',
        base: entries.length - 1,
        delta: writeDelta(size, 20 * size, steps.flat()),
      });
    }
    await expectRefusal({ refs: main, pack: () => writePack([...entries, ...whole]) }, 'limit');
  });

  it('exceeds the limit with 5,000 deltas of 1 MB each onto one base', async () => {
    const base = Buffer.alloc(MB);
    const small = writeDelta(MB, MB, [[0, MB]]);
    const entries = Array.from({ length: 5_000 }, (): PackEntry => ({
      type: 'delta',
      base: 0,
      delta: small,
    }));
    await expectRefusal({ refs: main, pack: () => writePack([blob(base), ...entries]) }, 'limit');
  });

  it('is read with a chain of 20,000 deltas in reverse order', async () => {
    const texts = Array.from({ length: 20_000 }, (_, n) => Buffer.from(`${n}`));
    const chain = texts.slice(1).map((text, n): PackEntry => {
      const base = texts[n] ?? page;
      return {
        type: 'delta',
        base: objectId('blob', base),
        delta: writeDelta(base.length, text.length, [text.toString()]),
      };
    });
    const pack = writePack([...chain.toReversed(), blob(texts[0] ?? page), ...whole]);
    const { outcome, peakBytes } = await readLie({ refs: main, pack: () => pack });
    expect(outcome).toMatchObject({ commit: { oid: head } });
    expect(peakBytes).toBeLessThan(mostMemory);
  });

  it('needs little memory with a delta of 60 MB, or with one beyond the limit of a delta', async () => {
    const base = Buffer.alloc(100, 'b');
    const onto = (bytes: number): PackEntry => ({
      type: 'delta',
      base: 0,
      delta: Buffer.concat([writeDelta(100, 1, []), Buffer.alloc(bytes, 1)]),
    });
    for (const bytes of [60 * MB, 70 * MB])
      await expectRefusal({ refs: main, pack: () => writePack([blob(base), onto(bytes)]) }, 'bad_content', {
        memory: 400 * MB,
      });
    const waiting = Array.from({ length: 3 }, (): PackEntry => ({
      type: 'delta',
      base: absent,
      delta: Buffer.alloc(40 * MB, 1),
    }));
    await expectRefusal({ refs: main, pack: () => writePack(waiting) }, 'limit', {
      limits: { maxTotalBytes: 100 * MB },
      memory: 400 * MB,
    });
  });

  it('exceeds the limit with a folder of half a million names', async () => {
    const endless = Buffer.alloc(20 * MB, treeOf(['100644', 'a', absent]));
    await expectRefusal(repository(endless), 'limit', { memory: 300 * MB });
  });

  it('is bad content with a commit of 10 MB, and is read with a message of 900 KB', async () => {
    const long = commitOf(objectId('tree', onePage), 'canary '.repeat(1_500_000));
    await expectRefusal(
      {
        refs: [[objectId('commit', long), 'refs/heads/main']],
        pack: () => writePack([{ type: 'commit', content: long }, ...whole]),
      },
      'bad_content',
    );
    const words = commitOf(objectId('tree', onePage), 'words '.repeat(150_000));
    const { outcome } = await readLie({
      refs: [[objectId('commit', words), 'refs/heads/main']],
      pack: () => writePack([{ type: 'commit', content: words }, ...whole]),
    });
    expect(outcome).toMatchObject({ content: { pages: [{ title: 'Home' }] } });
  });

  it('is too large when it never ends', async () => {
    const noise = randomBytes(MB);
    const header = writePack([], { count: 100_000 }).subarray(0, 12);
    const endless = function* () {
      yield header;
      for (;;) yield noise;
    };
    await expectRefusal({ refs: main, pack: endless }, 'bad_content|too_large', {
      limits: { maxPackBytes: 20 * MB },
    });
    // The object that begins is announced with 500 MB and never ends: stored blocks of zlib, which cost the
    // sender nothing.
    const object = Buffer.concat([
      header,
      Buffer.from([0xb0 | 0x80 | 0, 0x80, 0x80, 0x80, 0x7f]),
      Buffer.from([0x78, 0x01]),
    ]);
    const blocks = function* () {
      yield object;
      for (;;) yield Buffer.concat([Buffer.from([0, 0xff, 0xff, 0, 0]), Buffer.alloc(0xffff)]);
    };
    await expectRefusal({ refs: main, pack: blocks }, 'limit|too_large', {
      limits: { maxPackBytes: 100 * MB },
    });
  });

  it('is too large when it contains only progress messages, and runs into the timeout', async () => {
    const talk = packet(Buffer.concat([Buffer.from([2]), Buffer.alloc(60_000, 'canary ')]));
    const endless = function* () {
      yield packet('NAK\n');
      for (;;) yield talk;
    };
    await expectRefusal({ refs: main, answer: endless }, 'too_large', { limits: { maxPackBytes: 20 * MB } });
    const slowly = async function* () {
      yield packet('NAK\n');
      for (;;) {
        yield talk;
        await new Promise((resolve) => setTimeout(resolve, 600));
      }
    };
    const startedAt = performance.now();
    await expectRefusal({ refs: main, answer: slowly }, 'timeout', { limits: { timeoutMs: 2_000 } });
    expect(performance.now() - startedAt).toBeLessThan(bound(10_000));
  });

  it('is too large in a content coding that unpacks to gigabytes', async () => {
    const zeros = gzipSync(Buffer.alloc(200 * MB));
    const headers = { 'content-encoding': 'gzip' };
    await expectRefusal({ refs: main, headers, answer: () => zeros }, 'too_large|bad_content', {
      limits: { maxPackBytes: 20 * MB },
      memory: 400 * MB,
    });
    await expectRefusal({ headers, advertisement: () => zeros }, 'too_large|bad_content', {
      memory: 400 * MB,
    });
  });

  it('is refused without quoting the error message of the server', async () => {
    await expectRefusal(
      { refs: main, answer: () => packet('ERR canary: go to http://127.0.0.1/\n') },
      'http_status',
    );
    const band = packet(Buffer.concat([Buffer.from([3]), Buffer.from('canary')]));
    await expectRefusal({ refs: main, answer: () => Buffer.concat([packet('NAK\n'), band]) }, 'http_status');
  });
});

describe('a list of refs', () => {
  const line = (text: string) => packet(`${text}\n`);
  const service = Buffer.concat([line('# service=git-upload-pack'), Buffer.from('0000')]);
  const end = Buffer.from('0000');

  it('exceeds the limit when it never ends, also when version 2 never ends', async () => {
    const endless = function* () {
      yield Buffer.concat([service, packet(`${head} refs/heads/a\0side-band-64k\n`)]);
      for (let n = 0; ; n++) yield line(`${head} refs/pull/${n}/head`);
    };
    await expectRefusal({ advertisement: endless }, 'limit', { memory: 300 * MB });
  });

  it.each<[what: string, advertisement: () => Buffer, code: string]>([
    [
      'with a short oid',
      () => Buffer.concat([service, packet(`${head.slice(1)} refs/heads/main\0side-band-64k\n`), end]),
      'bad_content',
    ],
    [
      'of SHA-256',
      () =>
        Buffer.concat([
          service,
          packet(`${head}${head.slice(0, 24)} refs/heads/main\0side-band-64k object-format=sha256\n`),
          end,
        ]),
      'bad_content',
    ],
    [
      'with an oid that is none',
      () => Buffer.concat([service, packet(`${'../'.repeat(13)}x refs/heads/main\0side-band-64k\n`), end]),
      'bad_content',
    ],
    [
      'without capabilities',
      () => Buffer.concat([service, line(`${head} refs/heads/main`), end]),
      'bad_content',
    ],
    [
      'without the side band',
      () => Buffer.concat([service, packet(`${head} refs/heads/main\0ofs-delta\n`), end]),
      'bad_content',
    ],
    ['of a packet whose length is none', () => Buffer.concat([service, Buffer.from('00zz')]), 'bad_content'],
    ['of a packet of three bytes', () => Buffer.concat([service, Buffer.from('0003')]), 'bad_content'],
    [
      'with bytes behind it',
      () => Buffer.concat([service, packet(`${head} refs/heads/main\0side-band-64k\n`), end, line('canary')]),
      'bad_content',
    ],
    [
      'of another branch',
      () => Buffer.concat([service, packet(`${head} refs/heads/Main\0side-band-64k\n`), end]),
      'not_found',
    ],
    ['that says no', () => Buffer.concat([service, line('ERR canary'), end]), 'http_status'],
  ])('%s is refused', (_, advertisement, code) => expectRefusal({ advertisement }, code));

  it('is read with circular symbolic refs and unknown capabilities', async () => {
    const circle = 'symref=HEAD:refs/heads/main symref=refs/heads/main:HEAD symref=HEAD:HEAD';
    const capabilities = `side-band-64k ${circle} __proto__ constructor=1 ${'x'.repeat(60_000)}`;
    expect((await readLie({ ...good, capabilities })).outcome).toMatchObject({ commit: { oid: head } });
  });
});
