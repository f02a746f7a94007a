import { wordsOf } from '@bindery/render';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { it as base } from '../support/site/siteIt.ts';

const long = 'a-tag-without-any-place-to-break'.replaceAll('-', '').repeat(4);
const tags = [{ tag: 'guide' }, { tag: 'a & b' }, { tag: 'new', primary: true as const }, { tag: long }];

const it = base
  .extend('siteIn', { scope: 'file' }, ({ organization, server, hostname }) => {
    /** Publishes pages with tags, with words in a language. @returns the address of the site */
    return async (language?: string): Promise<string> => {
      const space = await publishPages(await buildSpace(organization, { language }), [
        { title: 'Start', path: 'start', source: '# Start\n\nText', tags },
        { title: 'Plain', path: 'plain', source: '# Plain\n\nText' },
        { title: 'Hidden', path: 'hidden', source: '# Hidden\n\nText', tags, layout: { tags: false } },
        {
          title: 'Many',
          path: 'many',
          source: '# Many\n\nText',
          tags: Array.from({ length: 200 }, (_, at) => ({ tag: `tag ${at}` })),
        },
      ]);
      const site = await buildSite(organization, { spaces: [space], isPublished: true });
      return `${server.origin}/${hostname}/${site.basename}`;
    };
  })
  .extend('url', { scope: 'file' }, ({ siteIn }) => siteIn());

describe('the tags of a page', () => {
  it('are listed above its title, the primary ones first', async ({ server, url }) => {
    const { text } = await server.get(url);
    const items = ['<li class="primary" dir="auto">new</li>', 'guide', 'a &amp; b', long];
    const list = items.map((item) => (item.startsWith('<') ? item : `<li dir="auto">${item}</li>`)).join('');
    expect(text).toContain(`<ul class="tags" aria-label="Tags">${list}</ul><article class="page"`);
  });

  it('are not shown when there are none, or when its author hides them', async ({ server, url }) => {
    for (const path of ['plain', 'hidden']) {
      const { status, text } = await server.get(`${url}/${path}`);
      expect(status).toBe(200);
      expect(text).not.toContain('class="tags"');
    }
  });

  it('are at most 50', async ({ server, url }) => {
    const { text } = await server.get(`${url}/many`);
    expect(text).toContain('>tag 49</li></ul>');
  });

  it.for(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'])(
    'have a label in the language of the space: %s',
    async (language, { server, siteIn }) => {
      const { text } = await server.get(await siteIn(language));
      expect(text).toContain(`<ul class="tags" aria-label="${wordsOf(language).tags}">`);
    },
  );

  it('pass axe and fit into narrow and wide windows', async ({ page, url }) => {
    for (const value of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      for (const width of [320, 1_280]) {
        await page.setViewport({ width, height: 700 });
        await page.goto(url);
        await page.evaluate(`document.documentElement.dataset.theme = '${value}'`);
        expect(await violationsOf(page), `${value} at ${width}`).toEqual([]);
        const wider = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(wider, `${value} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
  });
});
