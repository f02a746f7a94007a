import { createGzip, deflateRawSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { Space } from '@bindery/models';
import { describe, expect } from 'vitest';
import { countRevisions, itImporting as base } from '../../support/content/contentImporting.ts';
import type { ServedContent } from '../../support/content/contentServer.ts';
import { writeZip, zipOf, type ZipEntry } from '../../support/content/zipWriter.ts';
import type { SpaceRecord } from '@bindery/models';
import { bound } from '../../support/machine.ts';

// Group H of the catalogue of bad inputs: whatever is imported, the space stays what it was.

/** The goals are for a machine that has nothing else to do. */
const slowness = 3;

const it = base
  /** Imports what must be refused, and looks that nothing has changed. */
  .extend(
    'refused',
    ({ space, importInto }) =>
      async (url: string, source: string, withinMs = 10_000): Promise<string> => {
        const startMs = performance.now();
        const { status, body } = await importInto(space, url, source);
        expect([status, body.error?.message]).toEqual([400, expect.any(String)]);
        expect(performance.now() - startMs).toBeLessThan(bound(withinMs * slowness));
        expect((await Space.findById(space._id).lean<SpaceRecord>())?.revision).toBe(space.revision);
        expect(await countRevisions(space)).toBe(1);
        return body.error.message;
      },
  );

it.afterEach(({ canary }) => {
  expect(canary.requests, 'something reached the canary').toEqual([]);
});

describe('H01: an import refuses the URL', () => {
  it.for([
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
  ])('%s', async (url, { space, importInto }) => {
    const { status } = await importInto(space, url, 'markdown');
    expect(status).toBe(400);
    expect(await countRevisions(space)).toBe(1);
  });

  it('with a login, which it does not log or return', async ({ api, space, importInto, server }) => {
    const { status, text } = await importInto(
      space,
      `http://somebody:c4n4ry@${server.hostPort}/a.md`,
      'markdown',
    );
    expect([status, text.includes('c4n4ry')]).toEqual([400, false]);
    expect(api.logLines.join('\n')).not.toContain('c4n4ry');
  });
});

describe('H02: an import from a server that leads to internal addresses', () => {
  it.for(['127.0.0.1:1', 'the canary', '[::1]:80'])(
    'is refused on a redirect to %s',
    async (where, { canary, server, refused }) => {
      const location = where === 'the canary' ? `${canary.origin}/x.md` : `http://${where}/x.md`;
      server.put('/to', { status: 302, headers: { location } });
      await refused(`${server.origin}/to`, 'markdown');
    },
  );

  it('skips images at internal addresses, and imports the page', async ({
    space,
    server,
    canary,
    importInto,
  }) => {
    server.put('/a.md', {
      type: 'text/markdown',
      body: `# A\n\n![x](${canary.origin}/x.png) ![y](http://127.0.0.1:1/y.png)\n`,
    });
    const { status, body } = await importInto(space, `${server.origin}/a.md`, 'markdown');
    expect([status, body.importedResources, body.totalResources]).toEqual([200, 1, 3]);
  });
});

it.for([
  [{ source: 'word' }],
  [{}],
  [{ source: ['markdown'] }],
  [{ source: 'markdown', url: 7 }],
  [{ source: 'markdown', url: '' }],
])('H04: an import request with %j is refused', async ([json], { api, admin, space, server }) => {
  const { status } = await api.call('POST', `/v1/spaces/${space._id}/content/import`, {
    token: admin.token,
    json: { url: `${server.origin}/a.md`, ...json },
  });
  expect(status).toBe(400);
});

const good = { name: 'good.md', content: '# Good' };

// Every way in which an archive is refused is tried where it is read (readArchive.test.ts).
describe('H05: an archive with', () => {
  it.for<[string, () => readonly ZipEntry[]]>([
    ['a path that climbs out', () => [good, { name: '../evil.md', content: 'x' }]],
    [
      'a bomb',
      () => [
        good,
        { name: 'bomb.md', raw: deflateRawSync(Buffer.alloc(200 * 1024 * 1024)), declaredSize: 1_000 },
      ],
    ],
    [
      'more files than anybody writes',
      () => Array.from({ length: 50_000 }, (_, n) => ({ name: `${n}.md`, content: '', isStored: true })),
    ],
    [
      'archives in archives',
      () => [
        good,
        { name: 'one.zip', content: zipOf({ 'two.zip': zipOf({ 'three.zip': zipOf({ 'a.md': 'x' }) }) }) },
      ],
    ],
    ['nothing to import', () => [{ name: 'a.bin', content: 'x' }]],
  ])('%s is refused as a whole', { timeout: 60_000 }, async ([, entries], { server, refused }) => {
    server.put('/a.zip', { type: 'application/zip', body: writeZip(entries()) });
    await refused(`${server.origin}/a.zip`, 'zip');
  });

  it('damaged or other bytes is refused, as a Word document too', async ({ server, refused }) => {
    server.put('/a.zip', {
      type: 'application/octet-stream',
      body: zipOf({ 'a.md': '# A' }).subarray(0, 50),
    });
    for (const source of ['zip', 'docx', 'notion']) await refused(`${server.origin}/a.zip`, source);
    server.put('/a.docx', { type: 'application/octet-stream', body: zipOf({ 'a.md': '# A' }) });
    expect(await refused(`${server.origin}/a.docx`, 'docx')).toContain('not a Word document');
    server.put('/b.docx', {
      type: 'application/octet-stream',
      body: Buffer.from('\xd0\xcf\x11\xe0', 'latin1'),
    });
    expect(await refused(`${server.origin}/b.docx`, 'docx')).toContain('not a Word document');
  });
});

describe('H06: the worker survives expensive or invalid content', () => {
  it.for<[string, string, string, () => string]>([
    ['deeply nested HTML', 'html', 'text/html', () => `${'<div><p>'.repeat(100_000)}x`],
    ['HTML of nothing but tags', 'html', 'text/html', () => '<script>x</script>'.repeat(1_000)],
    ['deeply nested Markdown', 'markdown', 'text/markdown', () => `${'> '.repeat(100_000)}x`],
    ['Markdown that is bytes', 'markdown', 'text/plain', () => 'a\0b'],
    ['Markdown that is a web page', 'markdown', 'text/plain', () => '<!doctype html><html>x</html>'],
    ['an empty file', 'markdown', 'text/markdown', () => ' \n'],
  ])('%s', { timeout: 60_000 }, async ([, source, type, body], { space, server, importInto }) => {
    server.put('/x', { type, body: body() });
    const { status } = await importInto(space, `${server.origin}/x`, source);
    // Input that a parser can follow is imported; other input is refused, and the worker goes on.
    expect([200, 400]).toContain(status);
    server.put('/good.md', { type: 'text/markdown', body: '# Good' });
    expect((await importInto(space, `${server.origin}/good.md`, 'markdown')).status).toBe(200);
  });
});

describe('H09: an import is refused when the server sends', { timeout: 120_000 }, () => {
  it('30 MB', async ({ server, refused }) => {
    server.put('/big', { type: 'text/markdown', body: Buffer.alloc(30 * 1024 * 1024, 'a') });
    await refused(`${server.origin}/big`, 'markdown', 30_000);
  });

  it('a gzip bomb', async ({ server, refused }) => {
    server.put('/bomb', {
      serve: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/markdown', 'content-encoding': 'gzip' });
        Readable.from(Array.from({ length: 2_000 }, () => Buffer.alloc(1024 * 1024)))
          .pipe(createGzip())
          .pipe(response);
      },
    });
    await refused(`${server.origin}/bomb`, 'markdown', 30_000);
  });

  it('without end', async ({ server, refused }) => {
    server.put('/endless', {
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
    await refused(`${server.origin}/endless`, 'markdown', 30_000);
  });

  it('a byte now and then', async ({ server, refused }) => {
    server.put('/drip', {
      serve: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/markdown' });
        const timer = setInterval(() => response.write('a'), 500);
        response.on('close', () => clearInterval(timer));
      },
    });
    await refused(`${server.origin}/drip`, 'markdown', 30_000);
  });

  it.for<[string, ServedContent]>([
    ['nothing at that path', { status: 404 }],
    ['only to those who sign in', { status: 401 }],
    ['errors', { status: 500 }],
    ['the wish to wait for an hour', { status: 429, headers: { 'retry-after': '3600' } }],
    ['something else', { type: 'video/mp4', body: 'x' }],
    ['a circle of redirects', { status: 302, headers: { location: '/x' } }],
  ])('%s', async ([, content], { server, refused }) => {
    server.put('/x', content);
    await refused(`${server.origin}/x`, 'markdown', 30_000);
  });
});

describe('H12: a locked space', () => {
  it('refuses an import with 412, and suggests a change request', async ({ space, server, importInto }) => {
    await Space.updateOne({ _id: space._id }, { $set: { editMode: 'locked' } });
    server.put('/a.md', { type: 'text/markdown', body: '# A' });
    const { status, body } = await importInto(space, `${server.origin}/a.md`, 'markdown');
    expect([status, body.error.action]).toEqual([412, expect.stringContaining('change request')]);
    expect(server.requests).toEqual([]);
  });
});
