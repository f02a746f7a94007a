import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRevision, loadPageIndex, type PageTree } from '@bindery/content';
import { UpdateSiteCustomization } from '@bindery/contract';
import { loadPublishingAuth, privateKeyOf } from '@bindery/publishing';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { signVisitorToken } from '../support/http/visitorToken.ts';
import { it as base } from '../support/site/siteIt.ts';
import { createCardFonts } from '../../apps/site/src/cards/cardFonts.ts';
import { cardTextOf, linesOf } from '../../apps/site/src/cards/cardText.ts';
import { createCardDrawer } from '../../apps/site/src/cards/cardDrawer.ts';
import { pageCardOf } from '../../apps/site/src/cards/pageCard.ts';

const it = base
  /** A folder with empty files of the names of fonts. */
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  .extend('fontFolder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-fonts-'));
    onCleanup(() => rm(folder, { recursive: true }));
    for (const name of [...fontFiles, 'Amiri']) await writeFile(join(folder, `${name}_400Regular.ttf`), '');
    return folder;
  })
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide' }), [
      { title: 'Start & <go>', path: 'start', description: 'About it', source: '# Start\n\nText' },
      { title: 'Secret', path: 'secret', condition: 'visitor.claims.isTester', source: '# Secret\n\nText' },
      { title: '你好', path: 'hello', source: '# 你好\n\nText' },
    ]),
  );

const fontFiles = ['SC', 'JP', 'KR', 'Hebrew', 'Thai', 'Devanagari'].map((name) => `NotoSans${name}`);

const cardIn = (text: string) => /<meta property="og:image" content="([^"]*)">/.exec(text)?.[1];
const noFonts = createCardFonts(undefined);
const pngStart = '\x89PNG'.slice(1);

const documentPage = (title: string, description?: string) =>
  ({
    type: 'document',
    id: 'p',
    title,
    description,
    slug: 'p',
    path: 'p',
    createdAt: '',
    updatedAt: '',
    pages: [],
  }) as PageTree;

describe('the card of a page', () => {
  it('is drawn for pages that everyone sees, and cached for ever', async ({
    server,
    organization,
    guide,
    hostname,
    page,
  }) => {
    const site = await buildSite(organization, { title: 'Docs', spaces: [guide], isPublished: true });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    const card = cardIn((await server.get(url)).text) ?? '';
    expect(card).toMatch(new RegExp(`^${url}/~/card/[\\w-]+/[\\w-]{22}\\.png$`));
    const { status, headers, text } = await server.get(card);
    expect(status).toBe(200);
    expect(text.slice(1, 4)).toBe(pngStart);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    await page.goto(card);
    const size = await page.$eval('img', ({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight]);
    expect(size).toEqual([1_200, 630]);
    const other = card.replace(/[\w-]{22}\.png$/, `${'a'.repeat(22)}.png`);
    expect((await server.get(other)).status).toBe(404);
    // There is no folder with a font for Chinese.
    expect(cardIn((await server.get(`${url}/hello`)).text)).toBeUndefined();
  });

  it('is available only to visitors who see the page when the page has a condition', async ({
    api,
    server,
    organization,
    guide,
    hostname,
  }) => {
    const jsonSchema = JSON.stringify({
      type: 'object',
      properties: { isTester: { type: 'boolean', description: '' } },
      additionalProperties: false,
    });
    const site = await buildSite(organization, {
      title: 'Docs',
      spaces: [guide],
      isPublished: true,
      adaptiveSchema: { jsonSchema, updatedAt: new Date() },
    });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    const { secrets } = api.config;
    const key = Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const cookie = `bindery-visitor=${signVisitorToken({ isTester: true, exp }, { key })}`;
    const revision = await findRevision(guide._id, guide.revision);
    if (!revision) throw new Error('The guide has no content.');
    const { byPath } = await loadPageIndex(revision.organization, revision.pages);
    const secret = byPath.get('secret')?.page ?? documentPage('');
    const customization = UpdateSiteCustomization.parse({});
    const card = pageCardOf(secret, { customization, siteTitle: 'Docs', language: 'en', fonts: noFonts });
    const path = `${url}/~/card/${secret.id}/${card?.hash}.png`;
    expect((await server.get(path)).status).toBe(404);
    const { status, headers } = await server.get(path, { cookie });
    expect({ status, cache: headers['cache-control'] }).toEqual({ status: 200, cache: 'private, no-store' });
    const { text } = await server.get(`${url}/secret`, { cookie });
    expect(text).toContain('<title>Secret - Docs</title>');
    expect(cardIn(text)).toBeUndefined();
  });
});

describe('the text of a card', () => {
  const plainText = (text: string) => cardTextOf(text, { language: 'en', fonts: noFonts }).text;

  it('has no emoji and no direction marks, and is empty in scripts without a font', () => {
    expect(plainText('🚀 Start\u202e now\u0000 👨‍👩‍👧  ok')).toBe('Start now ok');
    expect(plainText('Привет, κόσμε, thế giới: 5 €')).toBe('Привет, κόσμε, thế giới: 5 €');
    for (const other of ['你好', 'مرحبا', 'שלום', 'a\u0301\u0316'.repeat(9) + '你'])
      expect(plainText(other)).toBe('');
    expect(plainText('x'.repeat(10_000))).toHaveLength(300);
  });

  it.for([
    ['API 你好', 'en', 'Noto Sans SC'],
    ['你好', 'zh-TW', 'Noto Sans SC'],
    ['東京', 'ja', 'Noto Sans JP'],
    ['はじめに', 'en', 'Noto Sans JP'],
    ['シーケンス', 'zh', 'Noto Sans JP'],
    ['안녕 세계', 'en', 'Noto Sans KR'],
    ['漢字', 'ko', 'Noto Sans KR'],
    ['می\u200Cخواهم، API!', 'fa', 'Amiri'],
    ['שלום', 'he', 'Noto Sans Hebrew'],
    ['คู่มือ', 'th', 'Noto Sans Thai'],
    ['मार्गदर्शिका', 'hi', undefined],
    ['你好 שלום', 'en', undefined],
    ['தமிழ்', 'ta', undefined],
  ] as const)('%s in %s has the font %s', ([text, language, family], { fontFolder }) => {
    const fonts = createCardFonts(fontFolder);
    const found = cardTextOf(text, { language, fonts });
    expect([found.font?.family, found.text]).toEqual([family, family ? text : '']);
    expect(found.font?.isRightToLeft ?? false).toBe(/^(Amiri|Noto Sans Hebrew)$/.test(family ?? ''));
  });

  it('has the font of its letters when an emoji beside them had joiners', ({ fontFolder }) => {
    const found = cardTextOf('你好 👨‍👩‍👧', { language: 'zh', fonts: createCardFonts(fontFolder) });
    expect([found.font?.family, found.text]).toEqual(['Noto Sans SC', '你好']);
  });

  it('is broken between words where no spaces are, and before no closing sign', () => {
    const room = { size: 10, space: 45, most: 3 };
    expect(linesOf('はじめに、使い方。', room)).toEqual(['はじめ', 'に、', '使い方。']);
    expect(linesOf('API を使う', room)).toEqual(['API を', '使う']);
    expect(linesOf('คู่มือการติดตั้ง', room).join('')).toBe('คู่มือการติดตั้ง');
  });

  it('is broken into lines, also within long words, and cut', () => {
    const room = { size: 10, space: 90, most: 2 };
    expect(linesOf('', room)).toEqual([]);
    expect(linesOf('one two three four', room)).toEqual(['one two three', 'four']);
    expect(linesOf('x'.repeat(30), room)).toEqual(['x'.repeat(15), 'x'.repeat(15)]);
    expect(linesOf('x'.repeat(300), room)).toEqual(['x'.repeat(15), `${'x'.repeat(14)}…`]);
  });

  it('is drawn with the font of its script, at the side at which that begins', async ({
    fontFolder,
    skip,
  }) => {
    // Any font with Hebrew does.
    const hebrew = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
    skip(!existsSync(hebrew), `there is no ${hebrew}`);
    await copyFile(hebrew, join(fontFolder, 'NotoSansHebrew_400Regular.ttf'));
    const options = { customization: UpdateSiteCustomization.parse({}), siteTitle: 'Docs', language: 'he' };
    const cardOf = (title: string) =>
      pageCardOf(documentPage(title), { ...options, fonts: createCardFonts(fontFolder) })!;
    const [one, other] = [cardOf('שלום, API!'), cardOf('עולם, API!')];
    expect(one.svg).toContain('<text x="1120" y="230" text-anchor="end"');
    expect(one.svg).toContain('>\u202Bשלום, API!\u202C</text>');
    const drawer = createCardDrawer();
    try {
      const [bytes, otherBytes] = [await drawer.draw(one), await drawer.draw(other)];
      expect(bytes?.length).toBeGreaterThan(1_000);
      // Without a font, neither word would be drawn.
      expect(bytes).not.toEqual(otherBytes);
    } finally {
      await drawer.close();
    }
  });

  it('is drawn in time, also when it is hostile', async () => {
    const drawer = createCardDrawer();
    const customization = UpdateSiteCustomization.parse({ themes: { default: 'dark' } });
    const hostile = [
      'W'.repeat(10_000),
      '</text><image href="/etc/passwd"/>',
      '\ud800&amp;&',
      'a '.repeat(5_000),
    ];
    try {
      for (const title of hostile) {
        const card = pageCardOf(documentPage(title, title), {
          customization,
          siteTitle: title,
          language: 'en',
          fonts: noFonts,
        });
        const bytes = card && (await drawer.draw(card));
        expect(
          Buffer.from(bytes ?? [])
            .toString('latin1')
            .slice(1, 4),
          title.slice(0, 20),
        ).toBe(pngStart);
        expect(card && (await drawer.draw(card))).toBe(bytes);
      }
    } finally {
      await drawer.close();
    }
  });
});
