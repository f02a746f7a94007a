import { describe, expect } from 'vitest';
import {
  buildFile,
  buildRevision,
  buildSection,
  buildShareLink,
  buildSite,
  buildSiteRedirect,
  buildSpace,
} from '../support/factories.ts';
import { indexWhatWaits, publishPages } from '../support/content/indexing.ts';
import { it as base } from '../support/site/siteIt.ts';

const guidePages = [
  {
    title: 'Home',
    path: 'home',
    source:
      '# Home\n\nWelcome to **the guide**. See [the steps](setup/steps.md).\n\n## First\n\na\n\n## Second\n\nb',
  },
  {
    type: 'group' as const,
    title: 'Setup',
    path: 'setup',
    pages: [
      {
        title: 'Steps <1>',
        path: 'setup/steps',
        description: 'All "steps"',
        source: '# Steps <1>\n\n{% tabs %}\n{% tab title="Linux" %}\n`apt`\n{% endtab %}\n{% endtabs %}',
      },
    ],
  },
  { title: 'Draft', path: 'draft', hidden: true as const, source: '# Draft\n\nNot yet' },
  { title: 'For beta', path: 'beta', condition: 'visitor.claims.beta', source: '# For beta\n\ncanary-beta' },
];

const it = base
  .extend('guide', { scope: 'file' }, async ({ api, organization }) => {
    const guide = await publishPages(await buildSpace(organization, { title: 'Guide' }), guidePages);
    await indexWhatWaits(api.config);
    return guide;
  })
  .extend('site', ({ organization, guide }) =>
    buildSite(organization, { title: 'Docs', spaces: [guide], isPublished: true }),
  )
  .extend('url', ({ hostname, server, site }) => `${server.origin}/${hostname}/${site.basename}`);

describe('a page of a site', () => {
  it('has its text in a frame with the navigation, the outline and its neighbours', async ({
    server,
    url,
  }) => {
    const { status, headers, text } = await server.get(url);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    const path = new URL(url).pathname;
    expect(text).toContain('<title>Home - Docs</title>');
    expect(text).toContain('Welcome to <strong>the guide</strong>');
    expect(text).toContain(`<a href="${path}/setup/steps">`);
    expect(text).toContain(`<a href="${path}" aria-current="page">Home</a>`);
    expect(text).toContain('<a href="#first">First</a>');
    expect(text).toContain('rel="next"><small>Next</small>Steps &lt;1&gt;</a>');
    expect(text).not.toContain('Draft');
  });

  it('escapes the texts of authors, and has tabs and breadcrumbs', async ({ server, url }) => {
    const { text } = await server.get(`${url}/setup/steps`);
    expect(text).toContain('<title>Steps &lt;1&gt; - Docs</title>');
    expect(text).toContain('content="All &quot;steps&quot;"');
    expect(text).toContain('<details name="tabs-1" open class="tab"><summary>Linux</summary>');
    expect(text).toContain('aria-label="Breadcrumbs"><ol><li>Setup</li></ol>');
  });

  it('answers 304 to its ETag, compressed or not', async ({ server, url }) => {
    for (const encoding of ['identity', 'br', 'gzip']) {
      const first = await server.get(url, { 'accept-encoding': encoding });
      const again = await server.get(url, {
        'accept-encoding': encoding,
        'if-none-match': first.headers.etag ?? '',
      });
      expect([again.status, again.text]).toEqual([304, '']);
      // Browsers take over the headers for the page that they have.
      const policy = 'content-security-policy';
      expect(again.headers[policy]).toBe(first.headers[policy]);
    }
  });

  it('shows new content at once', async ({ hostname, server, organization }) => {
    const space = await buildSpace(organization);
    await buildRevision(space, { pages: [{ title: 'A', path: 'a', source: '# A\n\nbefore' }] });
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    expect((await server.get(url)).text).toContain('before');
    await buildRevision(space, { pages: [{ title: 'A', path: 'a', source: '# A\n\nafter' }] });
    expect((await server.get(url)).text).toContain('after');
  });

  it('has a content security policy without inline code except its own style sheet', async ({
    server,
    url,
  }) => {
    const { headers, text } = await server.get(url);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(text).not.toMatch(/\sstyle="|\son\w+="/);
    for (const [, path] of text.matchAll(/(?:href|src)="([^"]*\/~\/assets\/[^"]+)"/g)) {
      const asset = await server.get(server.origin + path);
      expect([asset.status, asset.headers['cache-control']]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
  });
});

describe('other addresses of a site', () => {
  it('redirect to the landing page, the first page of a group, and the target of a redirect', async ({
    server,
    site,
    url,
  }) => {
    const path = new URL(url).pathname;
    await buildSiteRedirect(site, {
      source: '/old',
      destination: { kind: 'external', url: 'https://a.example/x' },
    });
    const whereTo = async (below: string) => {
      const { status, headers } = await server.get(url + below);
      return [status, headers.location];
    };
    expect(await whereTo('/home')).toEqual([308, path]);
    expect(await whereTo('/setup')).toEqual([307, `${path}/setup/steps`]);
    expect((await whereTo('/old'))[1]).toBe('https://a.example/x');
  });

  it('answer 404 in the frame of the site where no page exists', async ({ server, url }) => {
    const { status, text } = await server.get(`${url}/nowhere`);
    expect(status).toBe(404);
    expect(text).toContain('<h1>Page not found</h1>');
    expect((await server.get(`${server.origin}/nobody/nothing`)).status).toBe(404);
  });

  it('serve Markdown, a sitemap, robots.txt, llms.txt and search results', async ({ server, url }) => {
    const markdown = await server.get(`${url}/setup/steps.md`);
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(markdown.text).toMatch(/^# Steps <1>\n/);
    const { text: sitemap } = await server.get(`${url}/sitemap.xml`);
    expect(sitemap).toContain(`<loc>${url}/setup/steps</loc>`);
    expect(sitemap).not.toContain('draft');
    expect((await server.get(`${url}/robots.txt`)).text).toContain(`Sitemap: ${url}/sitemap.xml`);
    expect((await server.get(`${url}/llms.txt`)).text).toContain(`- [Steps <1>](${url}/setup/steps.md): All`);
    const found = await server.get(`${url}/~/search?q=guide`);
    expect(found.text).toContain(`<a href="${new URL(url).pathname}">Home</a>`);
    expect((await server.get(`${url}/~/search?q=%3Cscript%3E`)).text).not.toContain('<script>');
  });

  it('serve the files that pages show, and no others', async ({ hostname, api, server, organization }) => {
    const space = await buildSpace(organization);
    const shown = await buildFile(api.blobs, organization._id, { name: 'a b.png', contentType: 'image/png' });
    const secret = await buildFile(api.blobs, organization._id, { name: 'secret.png', bytes: 'canary' });
    const source = `# A\n\n![x](/files/${shown.id})`;
    await buildRevision(space, { pages: [{ title: 'A', path: 'a', source }], files: [shown, secret] });
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    const { text } = await server.get(url);
    const [, path = ''] = /src="([^"]*\/~\/files\/[^"]+)"/.exec(text) ?? [];
    const file = await server.get(server.origin + path);
    expect([file.status, file.text, file.headers['content-type']]).toEqual([200, 'content', 'image/png']);
    expect(file.headers['content-security-policy']).toContain('sandbox');
    const other = path
      .replace(shown.id, secret.id)
      .replace(shown.blob.slice(0, 16), secret.blob.slice(0, 16));
    expect((await server.get(server.origin + other)).status).toBe(404);
  });
});

describe('a visitor', () => {
  it('gets 404 for an unpublished site, and for a site without its share link', async ({
    hostname,
    server,
    organization,
    guide,
  }) => {
    const draft = await buildSite(organization, { spaces: [guide] });
    expect((await server.get(`${server.origin}/${hostname}/${draft.basename}`)).status).toBe(404);
    const shared = await buildSite(organization, {
      spaces: [guide],
      visibility: 'share-link',
      isPublished: true,
    });
    const url = `${server.origin}/${hostname}/${shared.basename}`;
    const { key } = await buildShareLink(shared);
    expect((await server.get(url)).status).toBe(404);
    const { status, headers, text } = await server.get(`${url}/${key}`);
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(text).toContain(`href="/${hostname}/${shared.basename}/${key}/setup/steps"`);
    expect(text).toContain('content="noindex"');
  });

  it('does not see a page whose condition they do not meet', async ({ server, url }) => {
    for (const path of [
      '',
      '/setup/steps',
      '/sitemap.xml',
      '/llms.txt',
      '/~/search?q=beta',
      '/beta',
      '/beta.md',
    ]) {
      const { text } = await server.get(url + path);
      expect(text, path).not.toMatch(/canary-beta|For beta|\/beta</);
    }
    expect((await server.get(`${url}/beta`)).status).toBe(404);
  });

  it('switches between the sections of a site', async ({ hostname, server, organization, guide }) => {
    const other = await buildSpace(organization, { title: 'Reference' });
    await buildRevision(other, { pages: [{ title: 'Calls', path: 'calls', source: '# Calls\n\nhere' }] });
    const site = await buildSite(organization, { isPublished: true });
    await buildSection(site, { space: guide, title: 'Guides', path: 'guides' });
    await buildSection(site, { space: other, title: 'Reference', path: 'ref' });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    const path = new URL(url).pathname;
    const { text } = await server.get(`${url}/ref`);
    expect(text).toContain('here');
    expect(text).toContain(`<a href="${path}/ref" aria-current="true">Reference</a>`);
    expect(text).toContain(`<a href="${path}">Guides</a>`);
  });
});
