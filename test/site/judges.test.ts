import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { buildSite, buildSpace } from '../support/factories.ts';
import { readPageTexts } from '../support/content/pageTexts.ts';
import { publishPages } from '../support/content/indexing.ts';
import { plain } from '../support/pdf/readPdf.ts';
import { everyBlock } from '../support/site/everyBlock.ts';
import { htmlErrorsIn, missingJava } from '../support/site/htmlChecker.ts';
import { readHtml } from '../support/site/readHtml.ts';
import { it as base } from '../support/site/siteIt.ts';

// Pages of a site, judged by readers that know nothing of how they were made.

const folderOfExamples = resolve(import.meta.dirname, '../fixtures/pages');
const noJava = await missingJava();
if (noJava) console.warn(`HTML not checked: ${noJava}`);

/** Texts that only members read: a condition that is not met, and a note about a broken include. */
const forMembers = ['Forsomeonly.', 'Thispageincludes'];

/** Headings whose anchors would be ids of the frame. */
const frameWords = '# Words\n\n## Content\n\n## Find\n\n## Found\n\n## Menu\n\n[To the menu](#menu)\n\nEnd';

const it = base
  .extend('examples', { scope: 'file' }, async ({ organization }) => {
    const names = (await readdir(folderOfExamples)).filter((name) => name.endsWith('.md')).toSorted();
    const files = await Promise.all(
      names.map(async (name) => ({
        title: `Example ${name}`,
        path: name.slice(0, -'.md'.length),
        source: await readFile(join(folderOfExamples, name), 'utf8'),
      })),
    );
    return publishPages(await buildSpace(organization, { title: 'Examples' }), [
      ...files,
      { title: 'Every block', path: 'every-block', source: everyBlock },
      {
        title: 'Words',
        path: 'words',
        source: frameWords,
        pages: [{ title: 'Version 1.2', path: 'words/version', source: '# Version 1.2\n\n## 1. First\n\nA' }],
      },
    ]);
  })
  .extend(
    'pages',
    { scope: 'file' },
    async ({ api, admin, organization, hostname, server, examples: space }) => {
      const site = await buildSite(organization, { title: 'Docs', spaces: [space], isPublished: true });
      const url = `${server.origin}/${hostname}/${site.basename}`;
      const texts = await readPageTexts(
        async (path) =>
          (await api.call('GET', `/v1/spaces/${space._id}/content${path}`, { token: admin.token })).body,
      );
      const addresses = texts.map(({ path }, index) => (index === 0 ? url : `${url}/${path}`));
      return Promise.all(
        texts.map(async (page, index) => {
          const { status, text: html } = await server.get(addresses[index]!);
          return { ...page, url: addresses[index]!, status, html, read: readHtml(html) };
        }),
      );
    },
  );

describe('the pages of a site', () => {
  it('have every heading, paragraph, cell and line of code of their documents', ({ pages }) => {
    expect(pages.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(100);
    for (const { title, status, blocks, read } of pages) {
      expect([title, status]).toEqual([title, 200]);
      expect(read.text).toContain(plain(title));
      const missing = blocks.filter((block) => !read.text.includes(block));
      expect([
        title,
        missing.filter((block) => !forMembers.some((start) => block.startsWith(start))),
      ]).toEqual([title, []]);
    }
  });

  it('have the page tree as navigation', ({ pages }) => {
    const wanted = pages.map(({ url }) => new URL(url).pathname);
    for (const { title, read } of pages) expect([title, read.navigation]).toEqual([title, wanted]);
  });

  it('have unique ids, and internal links that lead to existing pages and headings', async ({
    pages,
    server,
  }) => {
    const idsAt = new Map(pages.map(({ url, read }) => [url, new Set(read.ids)]));
    for (const { url, title, read } of pages) {
      expect([title, read.ids.filter((id, at) => read.ids.indexOf(id) !== at)]).toEqual([title, []]);
      const own = read.targets
        .map((target) => new URL(target, url))
        .filter(({ origin }) => origin === server.origin);
      for (const target of own) {
        const anchor = decodeURIComponent(target.hash.slice(1));
        target.hash = '';
        const ids = idsAt.get(target.href);
        if (!ids)
          expect([title, target.href, (await server.get(target.href)).status]).toEqual([
            title,
            target.href,
            200,
          ]);
        else if (anchor !== '') expect([title, anchor, ids.has(anchor)]).toEqual([title, anchor, true]);
      }
    }
  });

  it.skipIf(noJava)('are valid HTML', async ({ pages }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-html-'));
    try {
      for (const [index, { html }] of pages.entries()) await writeFile(join(folder, `${index}.html`), html);
      expect(await htmlErrorsIn(folder)).toEqual([]);
      await writeFile(
        join(folder, 'broken.html'),
        '<!doctype html><title>x</title><p id="a"></p><p id="a"></p>',
      );
      expect(await htmlErrorsIn(folder)).toEqual([expect.stringContaining('Duplicate ID')]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
