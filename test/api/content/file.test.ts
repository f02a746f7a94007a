import type { FileItem } from '@bindery/content';
import { describe, expect } from 'vitest';
import { buildFile, buildOrganization, buildRevision } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  /** A file in the content of the space, and the URL that the API gives for it. */
  .extend(
    'publish',
    ({ api, organization, admin, space }) =>
      async (fields: Parameters<typeof buildFile>[2]): Promise<{ file: FileItem; url: string }> => {
        const file = await buildFile(api.blobs, organization._id, { id: 'f', ...fields });
        await buildRevision(space, { files: [file] });
        const { body } = await api.call('GET', `/v1/spaces/${space._id}/content/files/f`, {
          token: admin.token,
        });
        return { file, url: body.downloadURL };
      },
  )
  .extend(
    'get',
    ({ api }) =>
      (url: string, headers: Record<string, string> = {}) =>
        api.call('GET', url, { headers }),
  );

describe('downloadURL', () => {
  it('serves the bytes without a token, cacheable for a year', async ({ publish, get }) => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 7) % 251));
    const { file, url } = await publish({ name: 'picture.png', bytes });
    expect(url.startsWith('http://api.test/files/')).toBe(true);
    const answer = await get(url);
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '3000000',
      'content-disposition': "inline; filename*=UTF-8''picture.png",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      etag: `"${file.blob}"`,
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await get(url, { 'if-none-match': `"${file.blob}"` })).toMatchObject({ status: 304, text: '' });
  });

  it.for([
    ['page.html', 'text/html', 'attachment'],
    ['drawing.svg', 'image/svg+xml', 'attachment'],
    ['DRAWING.SVG', 'image/svg+xml', 'attachment'],
    ['feed.xml', 'application/xml', 'attachment'],
    ['code.js', 'text/javascript', 'attachment'],
    ['unknown', 'application/octet-stream', 'attachment'],
    ['archive.tar.gz', 'application/gzip', 'attachment'],
    ['readme.txt', 'text/plain', 'inline'],
    ['manual.pdf', 'application/pdf', 'inline'],
    ['photo.JPG', 'image/jpeg', 'inline'],
    // Content does not decide the type: browsers show this as a broken picture.
    ['page.html.png', 'image/png', 'inline'],
  ])('serves %s as %s, %s', async ([name, contentType, disposition], { publish, get }) => {
    const { url } = await publish({ name, bytes: '<script>alert(1)</script>' });
    const { headers } = await get(url);
    expect(headers.get('content-type')?.split(';')[0]).toBe(contentType);
    expect(headers.get('content-disposition')?.split(';')[0]).toBe(disposition);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it.for([
    '日本語 (1).png',
    'a b.png',
    'quote\'s "x".png',
    'semi;colon=1.png',
    'percent%20.png',
    'hash#?&.png',
    'slash/back\\slash.png',
    'crlf\r\nSet-Cookie: a=b\r\n.png',
    'nul\u0000.png',
    '%2e%2e',
    'x'.repeat(250),
    '🚀.png',
    'a\u202egnp.exe',
  ])('keeps the file name %j', async (name, { publish, get }) => {
    const { url } = await publish({ name, bytes: 'content' });
    expect(url).toMatch(/^[\x21-\x7e]+$/);
    const { status, text, headers } = await get(url);
    expect([status, text]).toEqual([200, 'content']);
    expect(headers.get('set-cookie')).toBeNull();
    const given = headers.get('content-disposition') ?? '';
    expect(decodeURIComponent(given.slice(given.indexOf("''") + 2))).toBe(name);
  });

  it('is valid for these bytes under this name only', async ({ api, organization, publish, get }) => {
    const { file, url } = await publish({ name: 'a.png', bytes: 'one' });
    const other = await buildFile(api.blobs, organization._id, { bytes: 'two' });
    const away = await buildOrganization();
    await buildFile(api.blobs, away.organization._id, { bytes: 'one' });
    const wrong = [
      url.replace(file.blob, other.blob),
      url.replace(organization._id, away.organization._id),
      url.replace('a.png', 'a.html'),
      url.replace(/space=\w+&/, ''),
      url.replace(/space=\w+&/, `space=${away.organization._id}&`),
      url.replace(/signature=.*/, ''),
      url.replace(/signature=.*/, 'signature='),
      url.replace(/signature=.*/, 'signature=x'),
      url.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`),
      `${url}&signature=x`,
      url.slice(0, -1),
    ];
    for (const each of wrong) {
      const { status, body, headers } = await get(each);
      expect([each, status, body.error.type]).toEqual([each, 404, 'not_found']);
      expect(headers.get('etag')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect((await get(url)).status).toBe(200);
  });

  it('answers 404 for missing bytes, as for a wrong signature', async ({ api, admin, space, get }) => {
    const missing = { id: 'f', name: 'a.png', contentType: 'image/png', sizeBytes: 1, blob: '0'.repeat(64) };
    await buildRevision(space, { files: [missing] });
    const { body } = await api.call('GET', `/v1/spaces/${space._id}/content/files/f`, { token: admin.token });
    const answer = await get(body.downloadURL);
    expect([answer.status, answer.body.error.message]).toEqual([404, 'There is no file at this URL.']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('answers HEAD without the bytes, and other methods with 405', async ({ api, publish }) => {
    const { url } = await publish({ name: 'a.txt', bytes: 'content' });
    const head = await api.call('HEAD', url);
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '7']);
    const post = await api.call('POST', url);
    expect([post.status, post.headers.get('allow'), post.body.error.code]).toEqual([405, 'GET, HEAD', 405]);
  });

  describe('with Range', () => {
    it.for<[string, string, string]>([
      ['bytes=0-3', '0123', 'bytes 0-3/10'],
      ['bytes=4-', '456789', 'bytes 4-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=9-9', '9', 'bytes 9-9/10'],
      ['bytes=5-999', '56789', 'bytes 5-9/10'],
      ['bytes=0-1,2-3', '0123', 'bytes 0-3/10'],
    ])('%s gives %s', async ([range, text, contentRange], { api, publish, get }) => {
      const { url } = await publish({ name: 'digits.txt', bytes: '0123456789' });
      const answer = await get(url, { range });
      expect([
        answer.status,
        answer.text,
        answer.headers.get('content-range'),
        answer.headers.get('content-length'),
      ]).toEqual([206, text, contentRange, String(text.length)]);
      const head = await api.call('HEAD', url, { headers: { range } });
      expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
        206,
        '',
        String(text.length),
      ]);
    });

    it.for(['bytes=0-1,5-6', 'bytes=x', 'lines=1-2', 'bytes'])(
      '%s gives the whole file',
      async (range, { publish, get }) => {
        const { url } = await publish({ name: 'digits.txt', bytes: '0123456789' });
        expect(await get(url, { range })).toMatchObject({ status: 200, text: '0123456789' });
      },
    );

    it.for(['bytes=10-', 'bytes=3-1', 'bytes=-0'])(
      '%s is answered with 416 and the size',
      async (range, { publish, get }) => {
        const { url } = await publish({ name: 'digits.txt', bytes: '0123456789' });
        const answer = await get(url, { range });
        expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10']);
        expect(JSON.parse(answer.text).error).toMatchObject({ code: 416, type: 'range_not_satisfiable' });
      },
    );

    it('spans the chunks in which bytes are stored', async ({ publish, get }) => {
      const bytes = Buffer.alloc(2_500_000, 'abcdefghij');
      const { url } = await publish({ name: 'large.bin', bytes });
      const answer = await get(url, { range: 'bytes=1048570-2097160' });
      expect(answer.bytes.equals(bytes.subarray(1_048_570, 2_097_161))).toBe(true);
    });

    it('is ignored when If-Range does not match', async ({ publish, get }) => {
      const { file, url } = await publish({ name: 'digits.txt', bytes: '0123456789' });
      expect((await get(url, { range: 'bytes=0-1', 'if-range': `"${file.blob}"` })).text).toBe('01');
      for (const condition of ['"other"', `W/"${file.blob}"`, 'Wed, 21 Oct 2026 07:28:00 GMT'])
        expect((await get(url, { range: 'bytes=0-1', 'if-range': condition })).text).toBe('0123456789');
    });
  });

  it('serves an empty file', async ({ publish, get }) => {
    const { url } = await publish({ name: 'empty.txt', bytes: '' });
    expect(await get(url)).toMatchObject({ status: 200, text: '' });
    expect((await get(url, { range: 'bytes=0-' })).status).toBe(416);
  });

  it('still serves a file after a client disconnected during the download', async ({ api, publish, get }) => {
    const { url } = await publish({ name: 'large.bin', bytes: Buffer.alloc(20_000_000) });
    const leaving = new AbortController();
    const response = await api.open('GET', url, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    expect((await get(url)).bytes).toHaveLength(20_000_000);
  });

  it('keeps its signature out of the logs', async ({ api, publish, get }) => {
    const { url } = await publish({ name: 'a.txt', bytes: 'x' });
    await get(url);
    const signature = new URL(url).searchParams.get('signature') ?? '';
    expect(signature).toHaveLength(43);
    expect(api.logLines.join('')).not.toContain(signature);
  });
});
