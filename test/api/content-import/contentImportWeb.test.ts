import { describe, expect } from 'vitest';
import { itImporting as it, png, readContent } from '../../support/content/contentImporting.ts';

/** A page as a program for documentation writes it. */
const page = (title: string, main: string, { head = '', nav = '' } = {}) =>
  `<!doctype html><html><head><title>${title} | Docs</title>${head}</head><body><header><a href="/">Logo</a></header><nav>${nav}</nav><main><h1>${title}<a class="headerlink" href="#x">¶</a></h1>${main}</main><footer>Imprint</footer><script>document.write('evil')</script></body></html>`;

describe('a web page', () => {
  it('becomes a page of its main content', async ({ space, server, importInto }) => {
    server.put('/docs/install', {
      body: page(
        'Install',
        `<p>Take <b>care</b> of {% tags %} &lt;b&gt;. <a href="../other#part">Other</a> <a href="javascript:alert(1)">bad</a></p>
        <div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot!</p></div>
        <pre><code class="language-js">const a = 1;\nb();</code></pre>
        <table><tr><td>One</td><td>Two</td></tr><tr><td>1</td><td>a|b</td></tr></table>
        <details><summary>More</summary><p>Inside</p></details>
        <img src="/img/a.png" alt="A"><img src="data:image/png;base64,${png.toString('base64')}" alt="B">
        <iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe><iframe src="https://evil.example/"></iframe>
        <p onclick="alert(1)">End</p>`,
        { head: '<meta name="description" content="How to install: it">' },
      ),
    });
    server.put('/img/a.png', { type: 'image/png', body: png });
    const { status, body } = await importInto(space, `${server.origin}/docs/install`, 'html');
    expect([status, body]).toEqual([
      200,
      { revision: expect.any(String), importedResources: 3, totalResources: 3 },
    ]);
    const content = await readContent(space);
    expect(content.page('Install')).toMatchObject({ description: 'How to install: it' });
    const [remote, embedded] = ['a.png', 'image-1.png'].map(
      (name) => content.files.find((file) => file.name === name)?.id,
    );
    expect(content.textOf('Install')).toBe(
      `---
description: "How to install: it"
---

# Install

Take **care** of \\{% tags %} \\<b>. [Other](${server.origin}/other#part) bad

{% hint style="warning" %}

Hot!

{% endhint %}

\`\`\`js
const a = 1;
b();
\`\`\`

| One | Two |
| - | - |
| 1 | a\\|b |

<details>

<summary>More</summary>

Inside

</details>

![A](/files/${remote})![B](/files/${embedded}) 

{% embed url="https://www.youtube.com/watch?v=abcdefghijk" %}

End
`.replace(') \n', ')\n'),
    );
  });

  it('is decoded by its charset, and without a heading is named by its title element', async ({
    space,
    server,
    importInto,
  }) => {
    server.put('/a.html', {
      type: 'text/html',
      body: Buffer.from(
        '<html><head><meta charset="iso-8859-1"><title>Gr\u00fc\u00dfe</title></head><body><p>\u00e4\u00f6</p></body></html>',
        'latin1',
      ),
    });
    expect((await importInto(space, `${server.origin}/a.html`, 'html')).status).toBe(200);
    expect((await readContent(space)).textOf('Grüße')).toBe('# Grüße\n\näö\n');
  });
});

describe('a website', () => {
  it('imports the pages below its path, linked to each other, in the order of its navigation', async ({
    api,
    admin,
    space,
    server,
    importInto,
  }) => {
    const nav =
      '<a href="/docs/">Start</a><a href="/docs/b">B</a><a href="/docs/a">A</a><a href="/docs/a/inner?utm_source=x">Inner</a><a href="/blog">Blog</a><a href="https://elsewhere.example/docs/x">X</a><a href="/docs/closed">No</a>';
    const put = (path: string, title: string, main = '', head = '') =>
      server.put(path, { body: page(title, `<p>${title} text ${main}</p>`, { nav, head }) });
    put('/docs/', 'Start', '<a href="a#top">to A</a> <a href="/blog">blog</a>');
    put('/docs/a', 'A', '<a href="./b">to B</a>');
    put('/docs/a/inner', 'Inner');
    put('/docs/b', 'B', '<a href="/docs/missing">gone</a> <a href="/docs/deep/1">deep</a>');
    for (const [n, next] of [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ])
      put(`/docs/deep/${n}`, `Deep ${n}`, `<a href="/docs/deep/${next}">on</a>`);
    put('/docs/same', 'Same', '', '<link rel="canonical" href="/docs/b">');
    put('/docs/closed', 'Closed');
    put('/blog', 'Blog');
    server.put('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /docs/closed\n' });
    const { status, body, headers } = await importInto(space, `${server.origin}/docs/`, 'website');
    expect([status, body.importedResources, body.totalResources]).toEqual([200, 6, 7]);
    const content = await readContent(space);
    expect(content.outline).toEqual([
      'document Space /readme',
      'document Start /start',
      'document B /b',
      'document A /a',
      '  document Inner /a/inner',
      'document Deep 1 /deep-1',
      'document Deep 2 /deep-2',
    ]);
    const id = (title: string) => content.page(title).id;
    expect(content.textOf('Start')).toContain(`[to A](/pages/${id('A')}#top) [blog](${server.origin}/blog)`);
    expect(content.textOf('A')).toContain(`[to B](/pages/${id('B')})`);
    // Three links away is the end, no page is asked for twice, and never more than two at once.
    expect(server.requests.toSorted()).toEqual([
      ...[
        '/docs/',
        '/docs/a',
        '/docs/a/inner',
        '/docs/b',
        '/docs/deep/1',
        '/docs/deep/2',
        '/docs/missing',
        '/robots.txt',
      ],
    ]);
    expect(server.mostAtOnce()).toBeLessThanOrEqual(2);
    const { result, log } = (
      await api.call('GET', `/v1/jobs/${headers.get('x-job-id')}`, { token: admin.token })
    ).body;
    expect(result.pages[0]).toEqual({ id: id('Start'), type: 'page', sourceURL: `${server.origin}/docs/` });
    expect(log.map(({ path, message }: { path?: string; message: string }) => path ?? message)).toEqual([
      '/docs/missing',
      expect.stringContaining('robots.txt disallows 1'),
    ]);
  });

  it('imports at most 100 pages', async ({ space, server, importInto }) => {
    const links = Array.from({ length: 150 }, (_, n) => `<a href="/m/${n}">${n}</a>`).join('');
    server.put('/m/', { body: page('M', links) });
    for (let n = 0; n < 150; n += 1) server.put(`/m/${n}`, { body: page(`Page ${n}`, '<p>x</p>') });
    const { status, body } = await importInto(space, `${server.origin}/m/`, 'website');
    expect([status, body.importedResources]).toEqual([200, 100]);
    expect(server.requests.length).toBeLessThanOrEqual(102);
  });
});

describe('a published Google document', () => {
  it('keeps bold and italic text of its style sheet, and its links', async ({
    space,
    server,
    importInto,
  }) => {
    server.put('/document/d/e/x/pub', {
      body: `<html><head><title>Plan</title><style>.c1{font-weight:700}.c2{font-style:italic;color:#000}</style></head><body><div id="contents"><h1 class="c5"><span class="c9">The plan</span></h1><p><span class="c1">Bold</span> <span class="c2">italic</span> <a href="https://www.google.com/url?q=https://example.org/a%3Fb%3D1&sa=D">link</a></p></div></body></html>`,
    });
    expect((await importInto(space, `${server.origin}/document/d/e/x/pub`, 'google-docs')).status).toBe(200);
    expect((await readContent(space)).textOf('The plan')).toBe(
      '# The plan\n\n**Bold** *italic* [link](https://example.org/a?b=1)\n',
    );
  });

  it('is refused when it can be read only after signing in', async ({ space, server, importInto }) => {
    server.put('/d', {
      body: '<html><body><form action="https://accounts.google.com/ServiceLogin"></form><p>Sign in</p></body></html>',
    });
    const { status, body } = await importInto(space, `${server.origin}/d`, 'google-docs');
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('only after signing in')]);
  });
});
