import { crc32, deflateSync } from 'node:zlib';
import { readFileSync, readlinkSync } from 'node:fs';
import { describeIsolation, findIsolation } from '@bindery/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import type { Browsers, Chunk, OpenBook } from '../../../apps/worker-pdf/src/browser/browser.ts';
import { createBrowsers } from '../../../apps/worker-pdf/src/browser/createBrowsers.ts';
import { descendantsOf, membersOf, treeMemoryMb } from '../../../apps/worker-pdf/src/browser/treeMemory.ts';
import { browserProcesses, profilesOf, renderersOf } from '../../support/pdf/browserProcesses.ts';
import { findTestChromium } from '../../support/pdf/chromium.ts';
import { silentLogger } from '../../support/pdf/silentLogger.ts';
import { commandOf, environmentOf, numbersOf } from '../../support/processes/procfs.ts';
import { until } from '../../support/until.ts';

const { executable, missing } = await findTestChromium();
const deadlineMs = 30_000;
const chunk = (html: string, more: Partial<Chunk> = {}): Chunk => ({
  html: `<!doctype html><html lang="en"><head><title>A book</title>${html}</html>`,
  deadlineMs,
  ...more,
});
const simple = chunk('<h1 id="first">A page</h1><p>Some text.</p>');
/** Without the dates: prints of the same chunk differ in nothing else. */
const undated = (pdf: Uint8Array) =>
  Buffer.from(pdf)
    .toString('latin1')
    .replaceAll(/\/(Creation|Mod)Date \(.*?\)/g, '');

describe.skipIf(missing)('a browser for PDFs', () => {
  const opened: Browsers[] = [];
  const start = async (more: { executable?: string; memoryMb?: number; prewarmed?: number } = {}) => {
    const browsers = await createBrowsers({ executable, memoryMb: 1_000, logger: silentLogger, ...more });
    opened.push(browsers);
    return browsers;
  };
  const printAll = async (book: OpenBook, given: Chunk, firstSheet = 1) => {
    const loaded = await book.load(given);
    await loaded.setFirstSheet(firstSheet);
    const pdf = await loaded.print();
    await loaded.close();
    return pdf;
  };
  const never = new AbortController().signal;

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(async (browsers) => browsers.close()));
    expect(browserProcesses(process.pid)).toEqual([]);
    expect(profilesOf(process.pid)).toEqual([]);
  });

  it('prints a chunk to a tagged PDF, and the same bytes again', async () => {
    const browsers = await start();
    const pdfs: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const book = await browsers.openBook(never);
      pdfs.push(undated(await printAll(book, simple)));
      book.close();
    }
    expect(pdfs[0]).toMatch(/^%PDF-1\.\d[\s\S]*\/MarkInfo[\s\S]*%%EOF\s*$/);
    expect(pdfs[0]).toContain('/Outlines');
    expect(new Set(pdfs).size).toBe(1);
    const other = await start();
    const book = await other.openBook(never);
    expect(undated(await printAll(book, simple))).toBe(pdfs[0]);
  });

  it('numbers sheets from the given number', async () => {
    const book = await (await start()).openBook(never);
    const numbered = (more = '') =>
      chunk(`<style>@page{margin:2cm;@bottom-center{content:counter(page)}} ${more}</style><p>A page.</p>`);
    const set = undated(await printAll(book, numbered(), 41));
    expect(set).not.toBe(undated(await printAll(book, numbered(), 1)));
    const byStyle = await book.load(numbered('html{counter-increment:page 40}'));
    expect(set).toBe(undated(await byStyle.print()));
    await expect((await book.load(numbered())).setFirstSheet(0)).rejects.toMatchObject({ code: 'crashed' });
  });

  it('loads a chunk while it prints another', async () => {
    const book = await (await start()).openBook(never);
    let next = book.load(simple);
    const pdfs: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const loaded = await next;
      next = book.load(simple);
      pdfs.push(undated(await loaded.print()));
      await loaded.close();
    }
    await next;
    expect(new Set(pdfs).size).toBe(1);
  });

  it('gives a page its files and nothing else', async () => {
    const book = await (await start()).openBook(never);
    const image = { bytes: png(3), type: 'image/png' };
    const files = new Map([['a folder/ü.png', image]]);
    const withImage = chunk('<img alt="" src="a%20folder/%C3%BC.png">', { files });
    const pdf = undated(await printAll(book, withImage));
    expect(pdf).toContain('/Subtype /Image');
    const loaded = await book.load(chunk('<img alt="" src="https://render.invalid/other.png">', { files }));
    expect(undated(await loaded.print())).not.toContain('/Subtype /Image');
    expect(loaded.refused).toBe(1);
  });

  it.each([
    ['a redirect', '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:1/">'],
    ['a redirect to itself', '<meta http-equiv="refresh" content="0;url=https://render.invalid/">'],
    ['a redirect to a file', '<meta http-equiv="refresh" content="0;url=file:///etc/passwd">'],
    ['a redirect to data', '<meta http-equiv="refresh" content="0;url=data:text/html,other">'],
  ])('refuses a page with %s', async (_name, html) => {
    const book = await (await start()).openBook(never);
    const printed = async () => {
      const loaded = await book.load(chunk(html));
      const pdf = await loaded.print();
      // Chromium may not have noticed the redirect before it printed; then it printed this page.
      expect(undated(pdf)).toContain('A book');
    };
    await printed().catch((error: unknown) =>
      expect(error).toMatchObject({ code: 'bad_content', class: 'invalid' }),
    );
    // The browser serves on.
    expect(undated(await printAll(book, simple))).toContain('A book');
  });

  it('runs as a user of its own, in its sandbox, without the environment of the worker', async () => {
    process.env.BINDERY_TEST_SECRET = 'secret-of-the-worker';
    const book = await (await start()).openBook(never);
    await book.load(simple);
    delete process.env.BINDERY_TEST_SECRET;
    const all = browserProcesses(process.pid);
    const isOwn = findIsolation().kind === 'own-user';
    const uids = new Set(all.map((pid) => statusOf(pid, 'Uid')?.split('\t')[0]));
    expect(uids.size).toBe(1);
    if (isOwn) expect(Number([...uids][0])).toBeGreaterThanOrEqual(0x7000_0000);
    else console.log(`A user of its own: not checked, because ${describeIsolation(findIsolation())}`);
    const [browser] = all.filter((pid) => commandOf(pid).includes('--remote-debugging-pipe'));
    const renderers = renderersOf(process.pid);
    expect(renderers.length).toBeGreaterThan(0);
    for (const pid of renderers) {
      expect(statusOf(pid, 'Seccomp')).toBe('2');
      expect(statusOf(pid, 'NoNewPrivs')).toBe('1');
      expect(statusOf(pid, 'CapEff')).toMatch(/^0+$/);
      if (!isOwn) continue;
      for (const kind of ['user', 'pid', 'net'])
        expect(readlinkSync(`/proc/${pid}/ns/${kind}`)).not.toBe(readlinkSync(`/proc/${browser}/ns/${kind}`));
    }
    for (const pid of all)
      expect(environmentOf(pid).join('\n')).not.toMatch(/secret-of-the-worker|BINDERY_|MONGO/);
    const names = environmentOf(groupOf(process.pid)).flatMap((one) => /^(\w+)=/.exec(one)?.[1] ?? []);
    expect(names.filter((name) => name !== 'PWD').toSorted()).toEqual(['HOME', 'LANG', 'TMPDIR']);
  });

  it('fails when a renderer is killed, and the next job has another browser', async () => {
    const browsers = await start();
    const book = await browsers.openBook(never);
    const loaded = await book.load(simple);
    for (const pid of renderersOf(process.pid)) process.kill(pid, 'SIGKILL');
    await expect(loaded.print()).rejects.toMatchObject({ code: 'crashed', class: 'resource' });
    book.close();
    await expectPrints(browsers);
  });

  it('fails when the browser is killed, and the next job has another one', async () => {
    const browsers = await start();
    const book = await browsers.openBook(never);
    const loaded = await book.load(simple);
    process.kill(-groupOf(process.pid), 'SIGKILL');
    await expect(loaded.print()).rejects.toMatchObject({ code: 'crashed', class: 'resource' });
    book.close();
    await expectPrints(browsers);
  });

  it('ends a browser that does not answer at the deadline', async () => {
    const browsers = await start();
    const book = await browsers.openBook(never);
    const loaded = await book.load({ ...simple, deadlineMs: 5_000 });
    process.kill(-groupOf(process.pid), 'SIGSTOP');
    await expect(loaded.print()).rejects.toMatchObject({ code: 'timeout', class: 'resource' });
    book.close();
    await expectPrints(browsers);
  });

  it('finds all processes of a browser by their parents, as a scan of the machine does', async () => {
    const browsers = await start();
    const book = await browsers.openBook(never);
    await book.load(simple);
    const [one] = browserProcesses(process.pid);
    const leader = numbersOf(one!)!.group;
    const members = () => membersOf(leader)?.toSorted();
    const known = await until('processes that stay the same', () => {
      const before = members();
      const found = descendantsOf(leader)?.toSorted();
      const isSame = JSON.stringify(before) === JSON.stringify(members());
      return isSame ? { before, found } : undefined;
    });
    expect(known.before!.length).toBeGreaterThan(3);
    // Without lists of children in the kernel, all processes of the machine are read.
    expect(known.found ?? known.before).toEqual(known.before);
    expect(treeMemoryMb(leader)).toBeGreaterThan(50);
  });

  it('ends a browser that takes too much memory', async () => {
    const browsers = await start({ memoryMb: 400 });
    const book = await browsers.openBook(never);
    // One bit a pixel as a file, four bytes a pixel in memory.
    const files = new Map([['huge.png', { bytes: png(12_000), type: 'image/png' }]]);
    const printed = printAll(book, chunk('<img alt="" src="huge.png">', { files }));
    await expect(printed).rejects.toMatchObject({ code: 'memory', class: 'resource' });
    book.close();
    await expectPrints(browsers);
  });

  it('stops at once when the job is cancelled', async () => {
    const browsers = await start();
    const cancelled = new AbortController();
    const book = await browsers.openBook(cancelled.signal);
    const loaded = await book.load(simple);
    process.kill(-groupOf(process.pid), 'SIGSTOP');
    const printed = loaded.print();
    cancelled.abort(new Error('cancelled by its user'));
    await expect(printed).rejects.toThrow('cancelled by its user');
    await expect(book.load(simple)).rejects.toThrow('cancelled by its user');
    book.close();
    await expectPrints(browsers);
  });

  it('is replaced when it dies while idle', async () => {
    const browsers = await start();
    const group = groupOf(process.pid);
    process.kill(-group, 'SIGKILL');
    await until('end of the browser', () => !browserProcesses(process.pid).includes(group));
    await expectPrints(browsers);
  });

  it('reports why Chromium does not start', async () => {
    await expect(start({ executable: '/bin/false' })).rejects.toThrow('it ended with exit code 1');
    await expect(start({ executable: '/nonexistent/chromium' })).rejects.toThrow(/No such file/);
  });

  async function expectPrints(browsers: Browsers) {
    const book = await browsers.openBook(never);
    expect(undated(await printAll(book, simple))).toContain('A book');
    book.close();
  }
});

function groupOf(worker: number): number {
  return numbersOf(browserProcesses(worker)[0]!)!.group;
}

function statusOf(pid: number, name: string): string | undefined {
  return new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}

/** A black square, one bit a pixel. */
function png(pixels: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(pixels, 0);
  head.writeUInt32BE(pixels, 4);
  head[8] = 1;
  const row = Math.ceil(pixels / 8) + 1;
  const parts = [
    part('IHDR', head),
    part('IDAT', deflateSync(Buffer.alloc(row * pixels))),
    part('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

function part(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
}
