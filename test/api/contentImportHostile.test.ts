import { createGzip, deflateRawSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { Space } from '@bindery/models';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { countRevisions, startContentImportLab, type ContentImportLab } from '../support/contentImporting.ts';
import { writeZip, zipOf, type ZipEntry } from '../support/zipWriter.ts';
import type { SpaceRecord } from '@bindery/models';

// Each import starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

// Group H of the catalogue of bad inputs: whatever is imported, the space stays what it was.

let lab: ContentImportLab;
let space: SpaceRecord;
beforeAll(async () => {
  lab = await startContentImportLab();
});
beforeEach(async () => {
  space = await lab.newSpace();
});
afterEach(async () => {
  lab.server.clear();
  expect(lab.canary.requests, 'something reached the canary').toEqual([]);
});
afterAll(() => lab.close());

/** Imports what must be refused, and looks that nothing has changed. */
async function refused(url: string, source: string, withinMs = 10_000): Promise<string> {
  const startMs = performance.now();
  const { status, body } = await lab.importInto(space, url, source);
  expect([status, body.error?.message]).toEqual([400, expect.any(String)]);
  expect(performance.now() - startMs).toBeLessThan(withinMs * slowness);
  expect((await Space.findById(space._id).lean<SpaceRecord>())?.revision).toBe(space.revision);
  expect(await countRevisions(space)).toBe(1);
  return body.error.message;
}

/** The goals are for a machine that has nothing else to do. */
const slowness = 3;

describe('H01: a URL that shows by itself that it is refused', () => {
  it.each([
    'http://127.0.0.1:1/x.md',
    'http://2130706433/x.md',
    'http://0x7f.1/x.md',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/x',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/x',
    'http://10.0.0.5/x',
    'file:///etc/passwd',
    'ftp://pub.test/x',
    'data:text/markdown,hello',
    'javascript:alert(1)',
    'not a url',
    'http://',
    'http://pub.test:22/x',
    `http://pub.test/${'x'.repeat(2_100)}`,
  ])('%s', async (url) => {
    const { status } = await lab.importInto(space, url, 'markdown');
    expect(status).toBe(400);
    expect(await countRevisions(space)).toBe(1);
  });

  it('a login in it is refused and kept nowhere', async () => {
    const { status, text } = await lab.importInto(space, `http://somebody:c4n4ry@${lab.server.hostPort}/a.md`, 'markdown');
    expect([status, text.includes('c4n4ry')]).toEqual([400, false]);
    expect(lab.api.logLines.join('\n')).not.toContain('c4n4ry');
  });
});

describe('H02: a server that leads elsewhere', () => {
  it.each(['127.0.0.1:1', 'the canary', '[::1]:80'])('to %s', async (where) => {
    const location = where === 'the canary' ? `${lab.canary.origin}/x.md` : `http://${where}/x.md`;
    lab.server.put('/to', { status: 302, headers: { location } });
    await refused(`${lab.server.origin}/to`, 'markdown');
  });

  it('with images and links to addresses that are closed, whose pages come without them', async () => {
    lab.server.put('/a.md', { type: 'text/markdown', body: `# A\n\n![x](${lab.canary.origin}/x.png) ![y](http://127.0.0.1:1/y.png)\n` });
    const { status, body } = await lab.importInto(space, `${lab.server.origin}/a.md`, 'markdown');
    expect([status, body.importedResources, body.totalResources]).toEqual([200, 1, 3]);
  });
});

it.each([[{ source: 'word' }], [{}], [{ source: ['markdown'] }], [{ source: 'markdown', url: 7 }], [{ source: 'markdown', url: '' }]])(
  'H04: %j is no request',
  async (json) => {
    const { status } = await lab.api.call('POST', `/v1/spaces/${space._id}/content/import`, {
      token: lab.admin.token,
      json: { url: `${lab.server.origin}/a.md`, ...json },
    });
    expect(status).toBe(400);
  },
);

const good = { name: 'good.md', content: '# Good' };

// Every way in which an archive is refused is tried where it is read (readArchive.test.ts).
describe('H05: an archive with', () => {
  it.each<[string, () => readonly ZipEntry[]]>([
    ['a path that climbs out', () => [good, { name: '../evil.md', content: 'x' }]],
    ['a bomb', () => [good, { name: 'bomb.md', raw: deflateRawSync(Buffer.alloc(200 * 1024 * 1024)), declaredSize: 1_000 }]],
    ['more files than anybody writes', () => Array.from({ length: 50_000 }, (_, n) => ({ name: `${n}.md`, content: '', isStored: true }))],
    ['another archive', () => [good, { name: 'inner.zip', content: zipOf({ 'a.md': 'x' }) }]],
    ['nothing to import', () => [{ name: 'a.bin', content: 'x' }]],
  ])('%s is refused as a whole', { timeout: 60_000 }, async (_name, entries) => {
    lab.server.put('/a.zip', { type: 'application/zip', body: writeZip(entries()) });
    await refused(`${lab.server.origin}/a.zip`, 'zip');
  });

  it('bytes that are none is refused, as a Word document too', async () => {
    lab.server.put('/a.zip', { type: 'application/octet-stream', body: zipOf({ 'a.md': '# A' }).subarray(0, 50) });
    for (const source of ['zip', 'docx', 'notion']) await refused(`${lab.server.origin}/a.zip`, source);
    lab.server.put('/a.docx', { type: 'application/octet-stream', body: zipOf({ 'a.md': '# A' }) });
    expect(await refused(`${lab.server.origin}/a.docx`, 'docx')).toContain('no Word document');
  });
});

describe('H06: content that costs more than it looks', () => {
  it.each([
    ['deeply nested HTML', 'html', 'text/html', () => `${'<div><p>'.repeat(100_000)}x`],
    ['HTML of nothing but tags', 'html', 'text/html', () => '<script>x</script>'.repeat(1_000)],
    ['deeply nested Markdown', 'markdown', 'text/markdown', () => `${'> '.repeat(100_000)}x`],
    ['Markdown that is bytes', 'markdown', 'text/plain', () => 'a\0b'],
    ['Markdown that is a web page', 'markdown', 'text/plain', () => '<!doctype html><html>x</html>'],
    ['an empty file', 'markdown', 'text/markdown', () => ' \n'],
  ])('%s', { timeout: 60_000 }, async (_name, source, type, body) => {
    lab.server.put('/x', { type, body: body() });
    const { status } = await lab.importInto(space, `${lab.server.origin}/x`, source);
    // What a parser can follow is imported; everything else is refused, and the worker goes on.
    expect([200, 400]).toContain(status);
    lab.server.put('/good.md', { type: 'text/markdown', body: '# Good' });
    expect((await lab.importInto(space, `${lab.server.origin}/good.md`, 'markdown')).status).toBe(200);
  });
});

describe('H09: a server that sends', { timeout: 120_000 }, () => {
  it('30 MB', async () => {
    lab.server.put('/big', { type: 'text/markdown', body: Buffer.alloc(30 * 1024 * 1024, 'a') });
    await refused(`${lab.server.origin}/big`, 'markdown', 30_000);
  });

  it('a gzip bomb', async () => {
    lab.server.put('/bomb', {
      serve: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/markdown', 'content-encoding': 'gzip' });
        Readable.from(Array.from({ length: 2_000 }, () => Buffer.alloc(1024 * 1024)))
          .pipe(createGzip())
          .pipe(response);
      },
    });
    await refused(`${lab.server.origin}/bomb`, 'markdown', 30_000);
  });

  it('without end', async () => {
    lab.server.put('/endless', {
      serve: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/markdown' });
        const chunk = Buffer.alloc(64 * 1024, 'a');
        const more = () => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
    });
    await refused(`${lab.server.origin}/endless`, 'markdown', 30_000);
  });

  it('a byte now and then', async () => {
    lab.server.put('/drip', {
      serve: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/markdown' });
        const timer = setInterval(() => response.write('a'), 500);
        response.on('close', () => clearInterval(timer));
      },
    });
    await refused(`${lab.server.origin}/drip`, 'markdown', 30_000);
  });

  it.each([
    ['nothing at that path', { status: 404 }],
    ['only to those who sign in', { status: 401 }],
    ['errors', { status: 500 }],
    ['the wish to wait for an hour', { status: 429, headers: { 'retry-after': '3600' } }],
    ['something else', { type: 'video/mp4', body: 'x' }],
    ['a circle of redirects', { status: 302, headers: { location: '/x' } }],
  ])('%s', async (_name, content) => {
    lab.server.put('/x', content);
    await refused(`${lab.server.origin}/x`, 'markdown', 30_000);
  });
});

describe('H12: a locked space', () => {
  it('is not imported into, but its change requests are', async () => {
    await Space.updateOne({ _id: space._id }, { $set: { editMode: 'locked' } });
    lab.server.put('/a.md', { type: 'text/markdown', body: '# A' });
    const { status, body } = await lab.importInto(space, `${lab.server.origin}/a.md`, 'markdown');
    expect([status, body.error.action]).toEqual([412, expect.stringContaining('change request')]);
    expect(lab.server.requests).toEqual([]);
  });
});
