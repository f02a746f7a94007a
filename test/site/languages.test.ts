import { wordsOf } from '@bindery/render';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { everyBlock } from '../support/site/everyBlock.ts';
import { it as base } from '../support/site/siteIt.ts';

const pages = (title: string, text: string) => [
  {
    title,
    path: 'home',
    source: `# ${title}\n\n{% hint style="info" %}\n${text}\n{% endhint %}\n\n## A\n\n## B`,
  },
  {
    type: 'group' as const,
    title: 'X',
    path: 'group',
    pages: [{ title: 'Y', path: 'group/y', source: everyBlock.replace('# Every block', '# Y') }],
  },
];

const it = base
  .extend('siteIn', { scope: 'file' }, ({ organization, server, hostname }) => {
    return async ({ locale = 'en', language = undefined as string | undefined, title = 'X', text = 'X' }) => {
      const space = await publishPages(await buildSpace(organization, { language }), pages(title, text));
      const settings = { internationalization: { locale }, feedback: { enabled: true } };
      const site = await buildSite(organization, {
        title: 'X',
        spaces: [space],
        isPublished: true,
        customization: { settings, updatedAt: new Date() } as never,
      });
      return `${server.origin}/${hostname}/${site.basename}`;
    };
  })
  .extend('arabic', { scope: 'file' }, ({ siteIn }) =>
    siteIn({ language: 'ar', title: 'البداية', text: 'مرحبا بكم في الدليل.' }),
  );

describe('the fixed words of a site', () => {
  it.for(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'])(
    'are in the locale of its customization: %s',
    async (locale, { server, siteIn }) => {
      const url = await siteIn({ locale });
      const words = wordsOf(locale);
      const { text } = await server.get(url);
      expect(text).toContain(`<html lang="${locale}" dir="ltr"`);
      const { skip, search, next, updated, onThisPage, info, copied, enterWords } = words;
      for (const word of [skip, search, next, updated, onThisPage, info, copied, enterWords])
        expect(text).toContain(word);
      for (const word of Object.values(words.feedback)) expect(text).toContain(`>${word}</`);
      expect((await server.get(`${url}/~/search?q=zzz`)).text).toContain(words.pagesFound(0));
      expect((await server.get(`${url}/~/search.json?q=zzz`)).text).toContain(words.pagesFound(0));
      expect((await server.get(`${url}/nowhere`)).text).toContain(`<h1>${words.noPage}</h1>`);
      if (locale === 'en') return;
      const seen = [text, (await server.get(`${url}/nowhere`)).text].join('').replaceAll(/<[^>]*>/g, '\n');
      expect(seen).not.toMatch(/^(?:Search|Close|Next|Previous|Note|Skip to the content|Page not found)$/m);
    },
  );

  it('are in the language of the space when it is supported', async ({ server, siteIn, arabic }) => {
    const german = await server.get(await siteIn({ locale: 'fr', language: 'de' }));
    expect(german.text).toContain(wordsOf('de').skip);
    expect(german.text).toContain('<html lang="de" dir="ltr"');
    const { text } = await server.get(arabic);
    expect(text).toContain('<html lang="ar" dir="rtl"');
    expect((await server.get(`${arabic}/nowhere`)).text).toContain('<html lang="ar" dir="rtl"');
  });

  it('are in the language of the browser where no site is found', async ({ server }) => {
    const { text } = await server.get(`${server.origin}/nobody/nothing`, {
      'accept-language': 'xx, de-AT;q=0.8, en;q=0.5',
    });
    expect(text).toContain('<html lang="de">');
    expect(text).toContain(wordsOf('de').nothingHere);
  });
});

describe('a site that is written from right to left', () => {
  it('passes axe, and fits into narrow and wide windows', async ({ page, arabic }) => {
    for (const width of [320, 1_280]) {
      await page.setViewport({ width, height: 900 });
      for (const path of ['', '/group/y']) {
        await page.goto(arabic + path);
        expect(await violationsOf(page), `${path} at ${width}`).toEqual([]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
    // The navigation stands at the right.
    const left = await page.$eval('.tree', (tree) => tree.getBoundingClientRect().left);
    expect(left).toBeGreaterThan(640);
    expect(page.complaints).toEqual([]);
  });
});
