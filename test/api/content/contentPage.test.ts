import type { SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildRevision, buildSpace, type TestPage } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend(
    'read',
    ({ api, reader }) =>
      (
        space: SpaceRecord,
        path = '',
        { token = reader.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
      ) =>
        api.call('GET', `/v1/spaces/${space._id}${path}`, { token, headers }),
  )
  .extend('buildContent', ({ organization }) => async (pages: TestPage[]): Promise<SpaceRecord> => {
    const space = await buildSpace(organization);
    await buildRevision(space, { pages });
    return space;
  })
  .extend('nested', ({ buildContent }) =>
    buildContent([
      { id: 'home', title: 'Home', path: '' },
      {
        id: 'a',
        title: 'A',
        path: 'a',
        pages: [{ id: 'ab', title: 'B', path: 'a/b', pages: [{ id: 'abc', title: 'C', path: 'a/b/c' }] }],
      },
      {
        id: 'guides',
        type: 'group',
        title: 'Guides',
        path: 'guides',
        pages: [{ id: 'space', title: 'With space', path: 'guides/with space' }],
      },
      { id: 'japanese', title: '入門', path: '入門/はじめに' },
      { id: 'accent', title: 'Café', path: 'café' },
      { id: 'decomposed', title: 'Fußnote', path: 'o\u0308l' },
      { id: 'percent', title: '100%', path: '100%' },
      { id: 'encoded', title: 'Encoded', path: 'a%2Fb' },
      { id: 'plus', title: 'Plus', path: 'c++' },
      { id: 'dots', title: 'Dots', path: 'v1.0/...' },
      { id: 'emoji', title: 'Emoji', path: '🚀' },
      { id: 'long', title: 'Long', path: 'x'.repeat(900) },
    ]),
  )
  .extend('found', ({ read, nested }) => async (path: string) => {
    const { status, body } = await read(nested, `/content/path${path}`);
    return status === 200 ? body.id : status;
  });

describe('the Markdown of a page', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

  it.for([
    ['with carriage returns', '# A\r\n\r\ntext\r\n', '# A\r\n\r\ntext\r\n'],
    ['without its frontmatter', '---\r\ndescription: x\r\n---\r\n\r\n# A\r\n', '\r\n# A\r\n'],
    ['without anything', '', ''],
    ['of white space', ' \t\n\n', ' \t\n\n'],
    ['with tabs, separators and emoji', 'a\tb\u2028c\u{1F600}\u200d', 'a\tb\u2028c\u{1F600}\u200d'],
    ['with characters that JSON escapes', '"\\\u0001</script>\u007f', '"\\\u0001</script>\u007f'],
    ['in letters of all kinds', 'Ünïcödé 日本語 العربية 👩🏽‍💻', 'Ünïcödé 日本語 العربية 👩🏽‍💻'],
  ])('is returned as it was written: %s', async ([, source, markdown], { read, buildContent }) => {
    const space = await buildContent([{ id: 'p', title: 'P', source }]);
    const { body } = await read(space, '/content/page/p?format=markdown');
    expect(body.markdown).toBe(markdown);
    expect((await read(space, '/content/page/p')).body).toEqual(body);
    expect((await read(space, '/content/path/p?format=markdown')).body).toEqual(body);
  });

  it('keeps a byte order mark out of the body only where it belongs to the frontmatter', async ({
    read,
    buildContent,
  }) => {
    const space = await buildContent([
      { id: 'a', title: 'A', source: bytes([0xef, 0xbb, 0xbf], '---\nx: y\n---\n# A\n') },
      { id: 'b', title: 'B', source: bytes('a', [0xef, 0xbb, 0xbf], 'b') },
    ]);
    expect((await read(space, '/content/page/a')).body.markdown).toBe('# A\n');
    expect((await read(space, '/content/page/b')).body.markdown).toBe('a\ufeffb');
  });

  it('shows bytes that are not valid UTF-8 as replacement characters', async ({ read, buildContent }) => {
    const space = await buildContent([{ id: 'p', source: bytes('a', [0xff, 0xfe], 'b', [0xc3], '\n') }]);
    const { body } = await read(space, '/content/page/p');
    expect(body.markdown).toBe('a\ufffd\ufffdb\ufffd\n');
  });

  it('is returned whole when it is larger than a megabyte', async ({ read, buildContent }) => {
    const source = 'Zeile für Zeile\n'.repeat(100_000);
    const space = await buildContent([{ id: 'p', source }]);
    expect((await read(space, '/content/page/p')).body.markdown).toBe(source);
  });

  it('refuses unknown values of format and evaluated, and ignores unknown parameters', async ({
    read,
    buildContent,
  }) => {
    const space = await buildContent([{ id: 'p', title: 'P', source: 'x' }]);
    for (const path of ['/content/page/p', '/content/path/p']) {
      expect((await read(space, `${path}?format=html`)).body.error.details).toMatchObject([
        { path: 'query.format' },
      ]);
      for (const evaluated of ['true', 'false', 'deterministic-only'])
        expect((await read(space, `${path}?evaluated=${evaluated}`)).body.markdown).toBe('x');
      expect((await read(space, `${path}?evaluated=maybe`)).status).toBe(400);
      // The parameters that the published reader adds.
      expect(
        (
          await read(
            space,
            `${path}?dereferenced=reusable-contents&cachedMetadata=true&schema=next&unknown=1`,
          )
        ).status,
      ).toBe(200);
    }
  });

  it('is returned for documents, and not for groups and links', async ({ read, buildContent }) => {
    const space = await buildContent([
      { id: 'group', type: 'group', title: 'G', path: 'g', pages: [{ id: 'p' }] },
      { id: 'link', type: 'link', target: { kind: 'url', url: 'https://example.org' } },
    ]);
    expect((await read(space, '/content/page/group')).body).toMatchObject({
      type: 'group',
      pages: [{ id: 'p' }],
    });
    expect((await read(space, '/content/page/link')).body).toMatchObject({
      type: 'link',
      href: 'https://example.org',
    });
    expect((await read(space, '/content/page/p')).body).toMatchObject({ type: 'document', markdown: '' });
    for (const id of ['group', 'link'])
      expect((await read(space, `/content/page/${id}`)).body).not.toHaveProperty('markdown');
    for (const id of ['nothing', '%00', '..%2F..', 'x'.repeat(500)])
      expect((await read(space, `/content/page/${id}`)).status).toBe(404);
  });
});

describe('a page by its path', () => {
  it('may have plain and encoded slashes', async ({ found }) => {
    for (const [path, id] of [
      ['/a', 'a'],
      ['/a/b', 'ab'],
      ['/a%2Fb', 'ab'],
      ['/a/b/c', 'abc'],
      ['/a%2Fb%2Fc', 'abc'],
      ['/a%2fb/c', 'abc'],
      ['/a/', 'a'],
      ['/a/b/', 'ab'],
    ])
      expect([path, await found(path as string)]).toEqual([path, id]);
  });

  it('is the landing page for an empty path', async ({ found }) => {
    for (const path of ['', '/', '//', '/%2F']) expect([path, await found(path)]).toEqual([path, 'home']);
  });

  it('is the first document for an empty path that no page has', async ({ read, buildContent }) => {
    const other = await buildContent([
      { type: 'link', target: { kind: 'url', url: 'https://example.org' } },
      { type: 'group', title: 'G', path: 'g', pages: [{ id: 'first', path: 'g/first' }] },
    ]);
    expect((await read(other, '/content/path/')).body.id).toBe('first');
    const empty = await buildContent([]);
    expect(await read(empty, '/content/path')).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('no landing page') } },
    });
  });

  it('is decoded once, in any script', async ({ found }) => {
    for (const [path, id] of [
      ['/guides/with%20space', 'space'],
      ['/guides%2Fwith%20space', 'space'],
      [`/${encodeURIComponent('入門/はじめに')}`, 'japanese'],
      ['/入門/はじめに', 'japanese'],
      ['/caf%C3%A9', 'accent'],
      ['/cafe%CC%81', 'accent'],
      ['/%C3%B6l', 'decomposed'],
      ['/100%25', 'percent'],
      ['/a%252Fb', 'encoded'],
      ['/c++', 'plus'],
      ['/c%2B%2B', 'plus'],
      ['/v1.0/...', 'dots'],
      ['/%F0%9F%9A%80', 'emoji'],
      [`/${'x'.repeat(900)}`, 'long'],
      ['/guides', 'guides'],
    ]) {
      expect([path, await found(path as string)]).toEqual([path, id]);
    }
  });

  it('is redirected from its path before an import, unless another page has that path now', async ({
    api,
    reader,
    read,
    buildContent,
  }) => {
    const space = await buildContent([
      { id: 'new', title: 'New', path: 'up/new', filePath: 'file/new', oldPaths: ['_aux', 'taken'] },
      { id: 'taken', title: 'Taken', path: 'taken' },
    ]);
    for (const path of ['file/new', '_aux']) {
      const url = `/v1/spaces/${space._id}/content/path/${path}`;
      const { status, headers } = await api.call('GET', url, { token: reader.token, redirect: 'manual' });
      expect([status, new URL(headers.get('location') ?? '', `http://host${url}`).pathname]).toEqual([
        ...[307, `/v1/spaces/${space._id}/content/path/up/new`],
      ]);
    }
    expect((await read(space, '/content/path/taken')).body.id).toBe('taken');
  });

  it('answers 404 with the path when no page has it', async ({ read, nested, found }) => {
    for (const path of [
      '/nothing',
      '/A',
      '/a//b',
      '/a/b/c/d',
      '/%2500',
      '/%00',
      '/%FF',
      `/${'y'.repeat(5000)}`,
    ])
      expect([path.slice(0, 20), await found(path)]).toEqual([path.slice(0, 20), 404]);
    const { body } = await read(nested, '/content/path/a/nothing');
    expect(body.error).toMatchObject({
      type: 'not_found',
      message: 'No page has the path a/nothing.',
      action: expect.any(String),
    });
  });

  it('has a valid application URL', async ({ read, nested }) => {
    const { body } = await read(nested, '/content/pages');
    const urls: string[] = [];
    const visit = (pages: { urls?: { app: string }; pages?: [] }[]) =>
      pages.forEach((page) => {
        if (page.urls) urls.push(page.urls.app);
        visit(page.pages ?? []);
      });
    visit(body.pages);
    expect(urls).toContain(`http://api.test/s/${nested._id}/100%25`);
    expect(urls).toContain(
      `http://api.test/s/${nested._id}/${encodeURIComponent('入門')}/${encodeURIComponent('はじめに')}`,
    );
    for (const url of urls) expect(new URL(url).href).toBe(url);
  });
});
