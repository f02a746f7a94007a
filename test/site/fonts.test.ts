import type { HTTPRequest, Page } from 'puppeteer-core';
import { UpdateSiteCustomization } from '@bindery/contract';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { it as base } from '../support/site/siteIt.ts';
import { fontFilesOf } from '../../apps/site/src/fonts/fontFiles.ts';
import { namedFonts, type FontName } from '../../apps/site/src/fonts/namedFonts.ts';
import { font, monospaceFont } from '../../packages/contract/src/site/customizationValues.ts';

const names = [font, monospaceFont].flatMap(({ options }) => options[0].options) as FontName[];

const words = 'The quick brown fox jumps over the lazy dog, and writes it down: 1,234 times. ';
const part = (at: number) => `## Part **${at}**\n\n${words}\n\n${words.repeat(3)}\n\n- ${words}\n- Short`;
const source = `# Fonts\n\n\`\`\`js\nconst fox = jump(over, dog);\n\`\`\`\n\n${[1, 2, 3, 4].map(part).join('\n\n')}`;

const it = base
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide' }), [
      { title: 'Fonts', path: 'fonts', source },
    ]),
  )
  .extend('siteWith', { scope: 'file' }, ({ organization, server, guide, hostname }) => {
    return async (styling: object): Promise<string> => {
      const customization = {
        settings: UpdateSiteCustomization.parse({ styling }),
        updatedAt: new Date(),
      };
      const site = await buildSite(organization, {
        title: 'Docs',
        spaces: [guide],
        isPublished: true,
        customization: customization as never,
      });
      return `${server.origin}/${hostname}/${site.basename}`;
    };
  });

describe('the fonts that a customization can choose', () => {
  it('are all available, with one face for Latin text of normal weight', async () => {
    expect(Object.keys(namedFonts).toSorted()).toEqual(names.toSorted());
    for (const name of names) {
      const { files } = await fontFilesOf(name);
      const latin = files.filter(({ name: file }) => /-latin-(?:400|wght)-normal-/.test(file));
      expect(latin, name).toHaveLength(1);
      expect(latin[0]).toMatchObject({ style: 'normal', range: expect.stringContaining('U+0000-00FF') });
      expect(files.every(({ weight }) => /^\d+( \d+)?$/.test(weight))).toBe(true);
    }
  });

  it('are served by the site only, and cached for ever', async ({ server, siteWith }) => {
    const url = await siteWith({ font: 'Poppins', monospaceFont: 'DMMono', headingFont: 'Lato' });
    const { text, headers } = await server.get(url);
    expect(headers['content-security-policy']).toContain("font-src 'self';");
    const preload = text.match(
      /<link rel="preload" href="([^"]*)" as="font" type="font\/woff2" crossorigin>/,
    );
    expect(preload?.[1]).toMatch(/\/~\/assets\/fonts\/Poppins\/poppins-latin-400-normal-[\w-]{16}\.woff2$/);
    const file = await server.get(server.origin + preload?.[1]);
    expect(file.status).toBe(200);
    expect(file.headers).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(text).toContain('--heading-family:Lato,"Lato stand-in"');
    for (const other of ['Poppins/../Lato', 'constructor', 'Nothing'])
      expect((await server.get(`${url}/~/assets/fonts/${other}/a.woff2`)).status).toBe(404);
  });
});

/** Holds the requests for fonts of a page until `release`. */
async function holdFonts(page: Page): Promise<{ release: () => Promise<void> }> {
  const held: HTTPRequest[] = [];
  let isHeld = true;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (isHeld && request.url().endsWith('.woff2')) held.push(request);
    else void request.continue();
  });
  return {
    release: async () => {
      isHeld = false;
      await Promise.all(held.map(async (request) => request.continue()));
    },
  };
}

const observeShifts = `new PerformanceObserver((list) => {
  globalThis.shift = list.getEntries().reduce((sum, { value }) => sum + value, globalThis.shift ?? 0);
}).observe({ type: 'layout-shift', buffered: true })`;

/** Everything that was fetched for a page, with the bytes of headers. */
const transfers = `['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  .map(({ name, transferSize }) => ({ name, transferSize }))`;

/** The fonts of formulas that the page shows. */
const shownFonts = `[...document.fonts].filter(({ status }) => status === 'loaded')
  .map(({ family }) => family).filter((family) => family.startsWith('KaTeX')).sort()`;

type Transfer = { name: string; transferSize: number };

describe('a page with its fonts', () => {
  it.for(font.options[0].options)(
    'hardly shifts when %s arrives, and has at most 100 kB in 6 requests',
    async (name, { page, siteWith }) => {
      const url = await siteWith({ font: name });
      const { release } = await holdFonts(page);
      await page.setViewport({ width: 412, height: 900 });
      await page.goto(url, { waitUntil: 'domcontentloaded' });
      await page.evaluate(observeShifts);
      await page.waitForFunction(`performance.getEntriesByName('first-contentful-paint').length > 0`);
      await release();
      await page.waitForNetworkIdle();
      await page.evaluate('document.fonts.ready.then(() => true)');
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      expect(await page.evaluate(`document.fonts.check('16px ${name}')`)).toBe(true);
      // A few lines break one word earlier or later, twice if its faces arrive one after the other.
      expect(await page.evaluate('globalThis.shift ?? 0')).toBeLessThan(0.04);
      const fetched = (await page.evaluate(transfers)) as Transfer[];
      expect(fetched.length).toBeLessThanOrEqual(6);
      expect(fetched.reduce((sum, { transferSize }) => sum + transferSize, 0)).toBeLessThanOrEqual(100_000);
      expect(page.complaints).toEqual([]);
    },
  );

  it('shows its formulas in 6 requests, also without scripts, and in 7 with letters of a rare font', async ({
    page,
    organization,
    server,
    hostname,
  }) => {
    const code = '```js\nlet a = 1;\n```';
    const usual = `The square $$a^2 + 1$$.\n\n$$\n\\sum_{i=0}^n x_i\n$$\n\n${code}`;
    const pages = [
      { title: 'Usual', path: 'usual', source: `# Usual\n\n${usual}` },
      { title: 'Rare', path: 'rare', source: `# Rare\n\n${usual}\n\n$$\\mathbb{R}$$` },
    ];
    const space = await publishPages(await buildSpace(organization), pages);
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    const { 'content-security-policy': policy } = (await server.get(url)).headers;
    expect(policy).toContain("font-src 'self' data:;");
    const open = async (address: string) => {
      await page.goto(address, { waitUntil: 'networkidle0' });
      return ((await page.evaluate(transfers)) as Transfer[]).map(({ name }) => name);
    };
    const usualFonts = ['KaTeX_Main', 'KaTeX_Math', 'KaTeX_Size2'];
    for (const isEnabled of [true, false]) {
      await page.setJavaScriptEnabled(isEnabled);
      expect(await open(url)).toHaveLength(6);
      expect(await page.evaluate(shownFonts)).toEqual(usualFonts);
    }
    await page.setJavaScriptEnabled(true);
    const fetched = await open(`${url}/rare`);
    expect(fetched).toHaveLength(7);
    expect(await page.evaluate(shownFonts)).toEqual(['KaTeX_AMS', ...usualFonts]);
    const [rare = '', ...others] = fetched.filter((name) => name.includes('/fonts/math/'));
    expect(rare).toMatch(/KaTeX_AMS-Regular-[\w-]{16}\.woff2$/);
    expect(others).toEqual([]);
    expect(page.complaints).toEqual([]);
    expect((await server.get(rare)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await server.get(rare.replace(/-[\w-]{16}\.woff2$/, '.woff2'))).status).toBe(404);
  });

  it('shows a custom font, and allows only the host of the font', async ({ page, siteWith, server }) => {
    const own = {
      id: 'own',
      custom: true,
      fontFamily: 'Ours"}</style><b>',
      fontFaces: [
        { weight: 400, sources: [{ url: 'https://fonts.example/a.woff2?")}', format: 'woff2' }] },
        { weight: 700, sources: [{ url: "https://fonts.example;script-src/b.woff2'" }] },
      ],
    };
    const url = await siteWith({ font: own });
    const { text, headers } = await server.get(url);
    expect(headers['content-security-policy']).toContain("font-src 'self' https://fonts.example;");
    expect(text).not.toContain('<b>');
    await page.setRequestInterception(true);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(server.origin)) void request.continue();
      else {
        asked.push(request.url());
        void request.abort();
      }
    });
    await page.goto(url, { waitUntil: 'networkidle0' });
    expect(asked).toEqual(['https://fonts.example/a.woff2?%22)}']);
    const family = await page.evaluate('getComputedStyle(document.body).fontFamily');
    expect(family).toMatch(/^"Ours\\"}<\/style><b>", system-ui/);
    expect(page.complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([]);
  });
});
