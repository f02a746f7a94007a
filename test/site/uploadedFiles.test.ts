import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { contentTypeOf } from '@bindery/content';
import { describe, expect } from 'vitest';
import { buildFile, buildRevision, buildSite, buildSpace } from '../support/factories.ts';
import { it as base } from '../support/site/siteIt.ts';
import { until } from '../support/until.ts';

describe('an uploaded file', () => {
  const script = 'document.documentElement.id = "ran"';
  const attacks: readonly (readonly [name: string, bytes: string])[] = [
    ['a.html', `<script>${script}</script>`],
    ['a.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload='${script}'><script>${script}</script></svg>`],
    ['a.xml', `<x xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></x>`],
    ['a.xhtml', `<html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`],
    ['a.js', script],
    ['a.css', 'body{background:red}'],
    ['a.txt', `<script>${script}</script>`],
    ['a"\r\nX-Evil: 1;.bin', `<script>${script}</script>`],
  ];
  const it = base.extend('files', async ({ api, organization, server, hostname }) => {
    const space = await buildSpace(organization);
    const files = await Promise.all(
      attacks.map(([name, bytes]) =>
        buildFile(api.blobs, organization._id, { name, bytes, contentType: contentTypeOf(name) }),
      ),
    );
    const source = `# A\n\n${files.map(({ id }) => `[x](/files/${id})`).join('\n\n')}`;
    await buildRevision(space, { pages: [{ title: 'A', path: 'a', source }], files });
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const { text } = await server.ask(`/${hostname}/${site.basename}`);
    return [...text.matchAll(/href="([^"]*\/~\/files\/[^"]+)"/g)].map(([, path]) => path!);
  });

  it('runs no script: it is a download, or a document without an origin', async ({ server, files, page }) => {
    expect(files).toHaveLength(attacks.length);
    for (const path of files) {
      const { status, headers } = await server.ask(path);
      expect([status, headers['x-content-type-options'], headers['x-evil']]).toEqual([
        200,
        'nosniff',
        undefined,
      ]);
      expect(headers['content-security-policy']).toMatch(/default-src 'none';.*; sandbox$/);
      const isShown = /\.(?:svg|txt)$/.test(path);
      expect(headers['content-disposition']).toMatch(isShown ? /^inline; filename/ : /^attachment; filename/);
      if (!isShown) continue;
      await page.goto(server.origin + path);
      expect(await page.evaluate('document.documentElement.id')).toBe('');
    }
  });

  it('is not sent again for its ETag, and is sent whole for ranges', async ({
    server,
    files: [path = ''],
  }) => {
    const { headers, text } = await server.ask(path);
    const again = await server.ask(path, { headers: { 'if-none-match': headers.etag! } });
    expect([again.status, again.text]).toEqual([304, '']);
    for (const range of ['bytes=0-1', 'bytes=-1', 'bytes=99999-', `bytes=${'0-0,'.repeat(1_000)}0-0`])
      expect((await server.ask(path, { headers: { range } })).text).toBe(text);
    expect((await server.ask(path, { method: 'HEAD' })).headers['content-length']).toBe(String(text.length));
  });

  it('logs no error when it is not read to its end', async ({ api, server, organization, hostname }) => {
    const space = await buildSpace(organization);
    const file = await buildFile(api.blobs, organization._id, { bytes: Buffer.alloc(5_000_000) });
    await buildRevision(space, {
      pages: [{ title: 'A', path: 'a', source: `[x](/files/${file.id})` }],
      files: [file],
    });
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const { text } = await server.ask(`/${hostname}/${site.basename}`);
    const [, path] = /href="([^"]*\/~\/files\/[^"]+)"/.exec(text) ?? [];
    const asked = get(server.origin + path);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.destroy();
    await once(asked, 'close');
    // The next answer comes after the end of that one was noticed.
    await until('end of the connection', async () => (await server.connections()) <= 1);
    expect(server.log.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  });
});
