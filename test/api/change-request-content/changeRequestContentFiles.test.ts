import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mongoDatabase } from '@bindery/models';
import { describe, expect } from 'vitest';
import { itEditing as base, type Editing } from '../../support/content/editing.ts';

/** 3 x 2 pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
);

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
const insert = (...files: object[]) => ({
  operation: 'insert_files',
  files: files.map((file) => ({ name: 'logo.png', ...file })),
});
const base64 = (bytes: Uint8Array | string, contentType: string) => ({
  base64: Buffer.from(bytes).toString('base64'),
  contentType,
});

const it = base
  /** Listens as well, but is on no list. */
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('canary', { scope: 'file' }, async ({}, { onCleanup }) => {
    const canary = { port: 0, hits: 0 };
    const server = await listening((_request, response) => {
      canary.hits += 1;
      response.end('secret');
    });
    onCleanup(() => void server.close());
    canary.port = portOf(server);
    return canary;
  })
  .extend('site', { scope: 'file' }, async ({ canary }, { onCleanup }) => {
    const answers: Record<string, RequestListener> = {
      '/logo.png': (_request, response) =>
        response.setHeader('content-type', 'image/png; charset=binary').end(png),
      '/unknown.png': (_request, response) =>
        response.setHeader('content-type', 'application/octet-stream').end(png),
      '/login.png': (_request, response) =>
        response.setHeader('content-type', 'image/png').end('<html>Sign in</html>'),
      '/large.bin': (_request, response) => response.end(Buffer.alloc(11 * 1024 * 1024)),
      '/nine.bin': (_request, response) => response.end(Buffer.alloc(9 * 1024 * 1024)),
      '/there': (_request, response) => response.writeHead(302, { location: '/logo.png' }).end(),
      '/inside': (_request, response) =>
        response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end(),
    };
    const server = await listening((request, response) => {
      const answer = answers[request.url ?? ''];
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
    onCleanup(() => {
      server.closeAllConnections();
      server.close();
    });
    return `127.0.0.1:${portOf(server)}`;
  })
  .extend('environment', { scope: 'file' }, ({ site }) => ({ BINDERY_OUTBOUND_ALLOW: site }))
  .extend(
    'url',
    ({ site }) =>
      (path: string) =>
        `http://${site}${path}`,
  )
  .extend(
    'filesOf',
    ({ api, admin }) =>
      async (editing: Editing) =>
        (await api.call('GET', `${editing.path}/files`, { token: admin.token })).body.items,
  );

describe('insert_files', () => {
  it('stores bytes that are given in the request', async ({ api, open, filesOf }) => {
    const editing = await open({ pages: [] });
    const { status, body } = await editing.send([
      insert(base64(png, 'image/png'), {
        name: 'notes.txt',
        ...base64('Hello', 'text/plain; charset=utf-8'),
      }),
      insert({ name: 'empty', ...base64('', 'application/x-empty') }),
    ]);
    expect(status).toBe(200);
    expect(body.changes).toEqual([]);
    expect(body.insertedFiles).toMatchObject([
      { name: 'logo.png', contentType: 'image/png', size: png.length, dimensions: { width: 3, height: 2 } },
      { name: 'notes.txt', contentType: 'text/plain', size: 5 },
      { name: 'empty', contentType: 'application/x-empty', size: 0 },
    ]);
    expect(await filesOf(editing)).toEqual(body.insertedFiles);
    const { bytes } = await api.call('GET', body.insertedFiles[0].downloadURL);
    expect(bytes.equals(png)).toBe(true);
  });

  it('fetches a file from a URL, also behind a redirect', async ({ open, url }) => {
    const editing = await open({ pages: [] });
    const { status, body } = await editing.send([
      insert(
        { url: url('/logo.png') },
        { url: url('/there') },
        { url: url('/unknown.png') },
        { url: url('/logo.png'), name: 'as-text.txt', contentType: 'Text/Plain' },
      ),
    ]);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.insertedFiles).toMatchObject([
      { name: 'logo.png', contentType: 'image/png', size: png.length, dimensions: { width: 3, height: 2 } },
      { name: 'logo (1).png', contentType: 'image/png' },
      { name: 'logo (2).png', contentType: 'image/png' },
      { name: 'as-text.txt', contentType: 'text/plain' },
    ]);
  });

  it('adds a number to a file name that is taken', async ({ open, filesOf }) => {
    const editing = await open({ pages: [] });
    await editing.edit(insert(base64('1', 'text/x')) as never);
    const { body } = await editing.send([
      insert(
        { name: 'LOGO.png', ...base64('2', 'text/x') },
        { name: '.hidden', ...base64('', 'text/x') },
        { name: '.hidden', ...base64('', 'text/x') },
      ),
    ]);
    expect(body.insertedFiles.map(({ name }: { name: string }) => name)).toEqual([
      'LOGO (1).png',
      '.hidden',
      '.hidden (1)',
    ]);
    expect(await filesOf(editing)).toHaveLength(4);
  });

  it('refuses an invalid file before anything is stored', async ({ open, url, filesOf }) => {
    const editing = await open({ pages: [] });
    const blobs = async () => mongoDatabase().collection('blobs.files').countDocuments();
    const before = await blobs();
    const refusals: [object, string][] = [
      [insert({ ...base64('x', 'text/plain'), name: '' }), '.files[0].name: '],
      [insert({ ...base64('x', 'text/plain'), name: 'a/b' }), '.files[0].name: '],
      [insert({ ...base64('x', 'text/plain'), name: '..' }), '.files[0].name: '],
      [insert({}), '.files[0]: must have either `url` or `base64`'],
      [
        insert({ ...base64('x', 'text/plain'), url: url('/logo.png') }),
        '.files[0]: must have either `url` or `base64`',
      ],
      [insert({ base64: 'eA==' }), '.files[0].contentType: must be given'],
      [insert({ base64: 'eA', contentType: 'text/plain' }), '.files[0].base64: must be base64'],
      [
        insert({ base64: 'data:text/plain;base64,eA==', contentType: 'text/plain' }),
        '.files[0].base64: must be base64',
      ],
      [
        insert(base64(Buffer.alloc(1024 * 1024 + 3), 'text/plain')),
        '.files[0].base64: must be at most 1048576 bytes',
      ],
      [insert(base64('x', 'text')), '.files[0].contentType: '],
      [
        insert(base64('no image', 'image/png')),
        '.files[0].contentType: is image/png, but the bytes of the file are something else',
      ],
      [
        insert(base64(png, 'image/jpg')),
        '.files[0].contentType: is image/jpeg, but the bytes of the file are image/png',
      ],
      [{ operation: 'insert_files', files: [] }, '.files: '],
      [insert(...Array.from({ length: 21 }, () => base64('x', 'text/plain'))), '.files: '],
    ];
    for (const [change, message] of refusals)
      expect(await editing.refused(change)).toContain(`body.changes[0]${message}`);
    expect(await blobs()).toBe(before);
    expect(await filesOf(editing)).toEqual([]);
    await editing.edit(insert(base64(Buffer.alloc(1024 * 1024), 'text/plain')) as never);
  });

  it('refuses a URL that cannot be fetched, and bytes that do not match their content type', async ({
    open,
    canary,
    url,
  }) => {
    const editing = await open({ pages: [] });
    for (const [path, message] of [
      ['/nothing', 'could not be fetched: The server has nothing at this URL'],
      ['/large.bin', 'could not be fetched: The answer is larger than the limit'],
      ['/inside', 'could not be fetched: The URL leads to an address or port'],
    ] as const)
      expect(await editing.refused(insert({ url: url(path) }))).toContain(
        `body.changes[0].files[0].url: ${message}`,
      );
    expect(await editing.refused(insert({ url: url('/login.png') }))).toContain(
      'body.changes[0].files[0].contentType: is image/png',
    );
    for (const bad of [
      'ftp://example.org/x',
      'nonsense',
      'http://user:secret@example.org/',
      `http://example.org/${'x'.repeat(2048)}`,
    ])
      expect(await editing.refused(insert({ url: bad }))).toContain('body.changes[0].files[0].url: ');
    expect(
      await editing.refused(
        insert(...Array.from({ length: 6 }, () => ({ url: url('/nine.bin'), name: 'nine.bin' }))),
      ),
    ).toContain('larger than 50 MB together');
    expect(canary.hits).toBe(0);
  });

  it('gives the same error for every internal address, whether or not a server listens there', async ({
    open,
    canary,
  }) => {
    const editing = await open({ pages: [] });
    const closed = await listening(() => {});
    const closedPort = portOf(closed);
    closed.close();
    const refusals = new Set<string>();
    for (const host of [
      `127.0.0.1:${canary.port}`,
      `127.0.0.1:${closedPort}`,
      'localhost:3000',
      '[::1]:8080',
      '169.254.169.254',
      '10.0.0.5',
      '0x7f.1',
      '127.0.0.1:22',
    ])
      refusals.add(await editing.refused(insert({ url: `http://${host}/` })));
    expect([...refusals]).toEqual([
      expect.stringContaining('The URL leads to an address or port to which this server does not connect.'),
    ]);
    expect(canary.hits).toBe(0);
  });

  it('leaves no file behind in the content when another change is refused', async ({ open, filesOf }) => {
    const editing = await open({ pages: [] });
    expect(
      await editing.refused(insert(base64('x', 'text/plain')), { operation: 'delete_page', page: 'nothing' }),
    ).toContain('body.changes[1].page: ');
    expect(await filesOf(editing)).toEqual([]);
  });
});
