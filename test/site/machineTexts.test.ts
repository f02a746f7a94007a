import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSection, buildSite, buildSiteSpace, buildSpace } from '../support/factories.ts';
import { it as base } from '../support/site/siteIt.ts';

const changes = `# Changes & more

{% updates format="full" %}
{% update date="2026-01-31" tags="new,fix" %}
## Version 1 <beta>

First & best.

- One
- Two
{% endupdate %}
{% update date="2026-03-15" %}
It has no heading.
{% endupdate %}
{% endupdates %}`;

const it = base
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide', language: 'en' }), [
      { title: 'Home', path: 'home', source: '# Home\n\nWelcome.' },
      { title: 'Changes & more', path: 'changes', source: changes },
      { title: 'Draft', path: 'draft', hidden: true as const, source: '# Draft\n\ncanary-hidden' },
    ]),
  )
  .extend('url', { scope: 'file' }, async ({ organization, guide, server, hostname }) => {
    const site = await buildSite(organization, { title: 'Docs', spaces: [guide], isPublished: true });
    return `${server.origin}/${hostname}/${site.basename}`;
  });

describe('llms-full.txt', () => {
  it('has the text of all pages with their addresses, and states that it is complete', async ({
    server,
    url,
  }) => {
    const { status, headers, text } = await server.get(`${url}/llms-full.txt`);
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text).toMatch(/^# Docs\n/);
    expect(text).toContain(`Source: ${url}\n\n# Home\n\nWelcome.`);
    expect(text).toContain(`Source: ${url}/changes\n\n# Changes & more`);
    expect(text).not.toContain('canary-hidden');
    expect(text).toMatch(/These are all 2 pages\.\n$/);
    const again = await server.get(`${url}/llms-full.txt`, { 'if-none-match': headers.etag ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('ends after 2,000 pages, and states so', async ({ server, organization, hostname }) => {
    const many = await publishPages(
      await buildSpace(organization),
      Array.from({ length: 2_001 }, (_, index) => ({ title: `Page ${index}`, path: `page-${index}` })),
    );
    const site = await buildSite(organization, { spaces: [many], isPublished: true });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    const { text } = await server.get(`${url}/llms-full.txt`);
    expect(text.match(/^Source: /gm)?.length).toBe(2_000);
    expect(text).toContain(
      `The text ends here, after 2000 pages. All pages are listed in ${url}/llms.txt.\n`,
    );
  });
});

describe('llms.txt', () => {
  it('lists the Markdown of each page, also of the landing page', async ({ server, url }) => {
    const { text } = await server.get(`${url}/llms.txt`);
    const addresses = [...text.matchAll(/^- \[.*\]\((.*\.md)\)/gm)].map(([, address = '']) => address);
    expect(addresses).toEqual([`${url}/home.md`, `${url}/changes.md`]);
    for (const address of addresses) {
      const { status, headers } = await server.get(address);
      expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    }
  });
});

describe('the feed of a page with updates', () => {
  it('has each update, the newest first, and is linked from the page', async ({ server, url, browser }) => {
    const { text: markup } = await server.get(`${url}/changes`);
    const path = new URL(`${url}/changes/rss.xml`).pathname;
    expect(markup).toContain(`<link rel="alternate" type="application/rss+xml" href="${path}">`);
    const { status, headers, text } = await server.get(`${url}/changes/rss.xml`);
    expect([status, headers['content-type']]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    const read = `(() => {
      const feed = new DOMParser().parseFromString(${JSON.stringify(text)}, 'text/xml');
      return [...feed.querySelectorAll('item')].map((item) => [...item.children].map((each) => each.textContent));
    })()`;
    const blank = await browser.newPage();
    const [newest, oldest] = (await blank.evaluate(read)) as string[][];
    await blank.close();
    expect(newest?.slice(0, 2)).toEqual(['2026-03-15', `${url}/changes`]);
    expect(oldest).toEqual([
      'Version 1 <beta>',
      `${url}/changes#version-1-beta`,
      expect.stringMatching(/\/2026-01-31\//),
      'Sat, 31 Jan 2026 00:00:00 GMT',
      'new',
      'fix',
      'Version 1 <beta>\nFirst & best.\nOne\nTwo',
    ]);
  });

  it('does not exist for other pages', async ({ server, url }) => {
    expect((await server.get(`${url}/rss.xml`)).status).toBe(404);
    expect((await server.get(url)).text).not.toContain('rss');
  });
});

describe('the sitemap', () => {
  it('lists each page with its translations and its last change', async ({
    server,
    organization,
    guide,
    hostname,
  }) => {
    const french = await publishPages(await buildSpace(organization, { title: 'Guide', language: 'pt-br' }), [
      { title: 'Accueil', path: 'home', source: '# Accueil\n\nOui' },
    ]);
    const site = await buildSite(organization, { title: 'Docs', isPublished: true });
    const section = await buildSection(site, { space: guide, title: 'Guides', path: 'guides' });
    await buildSiteSpace(site, { space: french, section: section._id, path: 'pt' });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    const { text } = await server.get(`${url}/sitemap.xml`);
    const entry = text.split('\n').find((line) => line.includes(`<loc>${url}</loc>`));
    expect(entry).toMatch(/<lastmod>\d{4}-\d\d-\d\dT/);
    expect(entry).toContain(`<xhtml:link rel="alternate" hreflang="en" href="${url}"/>`);
    expect(entry).toContain(`<xhtml:link rel="alternate" hreflang="pt-BR" href="${url}/pt"/>`);
    const other = text.split('\n').find((line) => line.includes(`<loc>${url}/pt</loc>`));
    expect(other).toContain(`hreflang="en" href="${url}"/>`);
    expect(text.split('\n').find((line) => line.includes('/changes<'))).not.toContain('hreflang');
  });
});
