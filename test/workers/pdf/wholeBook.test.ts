import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { browserProcesses } from '../../support/pdf/browserProcesses.ts';
import { pdfFonts } from '../../support/pdf/judges.ts';
import { it as base, missingFonts, missingPrograms, type Printed } from '../../support/pdf/printing.ts';
import { plain, type OutlineNode } from '../../support/pdf/readPdf.ts';
import { differenceOf, drawSheet, readPng } from '../../support/pdf/sheetPicture.ts';
import { checkAccessibility, provideVeraPdf } from '../../support/pdf/veraPdf.ts';
import { buildWholeBook, type JudgedPage } from '../../support/pdf/wholeBook.ts';
import { buildChangeRequest, buildRevision, buildSpace, changeSpace } from '../../support/factories.ts';

const missingJudge = missingPrograms ? undefined : await provideVeraPdf();
if (missingJudge) console.warn(`PDF/UA of whole books not tested: ${missingJudge}`);
const plainPages = 200;

/** One book is printed for all tests of this file. */
const it = base
  .extend('folder', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-whole-book-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  })
  .extend('whole', { scope: 'file' }, async ({ api, organization, print, folder }) => {
    const space = await buildSpace(organization, { title: 'The handbook of everything' });
    const content = await buildWholeBook({ blobs: api.blobs, organization: organization._id, plainPages });
    const { _id: revision } = await buildRevision(space, content);
    const save = async (name: string, pdf: Printed) => {
      const path = join(folder, `${name}.pdf`);
      await writeFile(path, pdf.bytes);
      return { ...pdf, path };
    };
    const pdf = await save('book', await print(`/v1/spaces/${space._id}/pdf`));
    return { space, content, revision, pages: content.pages, pdf, save };
  });

const flat = (pages: readonly JudgedPage[]): JudgedPage[] =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
const flatOutline = (nodes: readonly OutlineNode[]): OutlineNode[] =>
  nodes.flatMap((node) => [node, ...flatOutline(node.children)]);
type Tree = { title: string; pages?: Tree[]; children?: Tree[] };
const titlesOf = (nodes: readonly Tree[]): unknown[] =>
  nodes.map(({ title, pages, children }) => [title, titlesOf(pages ?? children ?? [])]);
const rightToLeft = /[\u0590-\u08FF]/;
/** Poppler gives the words of each line from left to right: scripts in the other direction have a test. */
const judged = (text: string) => plain(text).replaceAll(/[\u0590-\u08FF\u202A-\u202E]/gu, '');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(missingPrograms)('a whole book', { timeout: 300_000 }, () => {
  it('has every heading, paragraph, cell and line of code, in order', ({ whole: { pdf, pages } }) => {
    const text = judged(pdf.texts.slice(pdf.labels.indexOf('1')).join(''));
    const says = flat(pages).flatMap((page) => page.says);
    expect(says.length).toBeGreaterThan(1_000);
    let at = 0;
    for (const words of says.map(judged)) {
      const found = text.indexOf(words, at);
      expect(found, `"${words}" after "${text.slice(Math.max(0, at - 60), at)}"`).toBeGreaterThanOrEqual(0);
      at = found + words.length;
    }
  });

  it('has the words of right-to-left scripts', ({ whole: { pdf, pages } }) => {
    const says = flat(pages).flatMap((page) => page.says);
    const words = says.flatMap((text) => text.split(' ')).filter((word) => rightToLeft.test(word));
    expect(words.length).toBeGreaterThan(10);
    const text = pdf.texts.join('').replaceAll(/[\u202A-\u202E]/gu, '');
    for (const word of words) expect(text).toContain(plain(word));
  });

  it('has the tree of pages as its outline, and contents with the printed numbers', ({
    whole: { pdf, pages },
  }) => {
    const front = pdf.labels.indexOf('1');
    for (const [sheet, label] of pdf.labels.entries()) {
      // The number of a turned sheet is in the area where other sheets have text.
      const bottom = pdf.bottoms[sheet] || pdf.texts[sheet];
      if (sheet > 0) expect(bottom).toMatch(new RegExp(`(?:^|\\D)${label}(?:$|\\D)`));
    }
    expect(titlesOf(pdf.outline)).toEqual(titlesOf(pages));
    const entries = flatOutline(pdf.outline);
    for (const { title, sheet } of entries) expect(judged(pdf.texts[sheet - 1]!)).toContain(judged(title));
    expect(judged(pdf.texts.slice(1, front).join(''))).toBe(
      judged(`Contents ${entries.map(({ title, sheet }) => `${title} ${pdf.labels[sheet - 1]}`).join('')}`),
    );
    expect(pdf.links.filter(({ sheet }) => sheet <= front).map(({ to }) => to)).toEqual(
      entries.map(({ sheet }) => sheet),
    );
  });

  it('has links that all lead to their targets', ({ whole: { pdf, pages } }) => {
    const entries = flatOutline(pdf.outline);
    const sheetOf = (title: string) => entries.find((entry) => entry.title === title)?.sheet;
    const plainOnes = flat(pages).filter(({ id }) => /^deep-\d/.test(id));
    for (const { id, title } of plainOnes) {
      const target = (Number(id.slice(5)) * 37) % plainPages;
      const links = pdf.links.filter(({ sheet }) => sheet === sheetOf(title));
      expect(links.map(({ to }) => to)).toEqual([sheetOf(`Deep page ${target}`)]);
    }
    const addresses = pdf.links.map(({ to }) => to).filter((to) => typeof to === 'string');
    for (const address of addresses) expect(address).toMatch(/^(?:https?:\/\/|mailto:)(?!render\.invalid)/);
  });

  it.skipIf(missingJudge)('is accessible: PDF/UA-1, by veraPDF', async ({ whole: { pdf } }) => {
    const { failures, checks } = await checkAccessibility(pdf.path);
    // Without the fonts of the platform, some characters have no glyph.
    expect(failures.filter((line) => !missingFonts || !/7\.21\.[78]/.test(line))).toEqual([]);
    expect(checks).toBeGreaterThan(100_000);
  });

  it.skipIf(missingJudge)(
    'is accessible also as a list of changes, on letter',
    async ({ whole: { space, content, revision, save }, print }) => {
      const pages = structuredClone(content.pages).map((page) => ({
        ...page,
        pages: page.pages?.filter(({ id }) => id !== 'formulas').map(changed),
      }));
      const after = await buildRevision(space, { ...content, pages: pages.toSpliced(3), publish: false });
      const { _id: id } = await buildChangeRequest(
        { ...space, revision },
        { revision: after._id, revisionInitial: revision },
      );
      const path = `/v1/spaces/${space._id}/change-requests/${id}/pdf?changes=true&pageSize=letter`;
      const pdf = await save('changes', await print(path));
      expect(pdf.properties['Page size']).toContain('letter');
      for (const words of ['BEFORE A small table:', 'CHANGED TO A tiny table:', 'ADDED Added at the end.'])
        expect(pdf.texts.join('')).toContain(plain(words));
      const { failures } = await checkAccessibility(pdf.path);
      expect(failures.filter((line) => !missingFonts || !/7\.21\.[78]/.test(line))).toEqual([]);
    },
  );

  it.skipIf(missingFonts)(
    'has the fonts of the platform as TrueType subsets, and emoji as pictures',
    async ({ whole: { pdf, space, save }, print }) => {
      const fonts = await pdfFonts(pdf.path);
      expect(
        [
          ...new Set(fonts.filter(({ name }) => !name.startsWith('KaTeX')).map(({ name }) => name)),
        ].toSorted(),
      ).toEqual([
        'Amiri-Bold',
        'Amiri-Regular',
        'NotoSans-Bold',
        'NotoSans-BoldItalic',
        'NotoSans-Italic',
        'NotoSans-Regular',
        'NotoSansHebrew-Bold',
        'NotoSansHebrew-Regular',
        'NotoSansJP-Bold',
        'NotoSansJP-Regular',
        'NotoSansKR-Bold',
        'NotoSansKR-Regular',
        'NotoSansMono-Bold',
        'NotoSansMono-Regular',
        'NotoSansSC-Regular',
        'NotoSansSymbols2-Regular',
        'NotoSansThai-Bold',
        'NotoSansThai-Regular',
        '[none]',
      ]);
      for (const { name, type } of fonts) expect(type).toBe(name === '[none]' ? 'Type 3' : 'CID TrueType');
      const entries = flatOutline(pdf.outline);
      const sheetOf = (title: string) => entries.find((entry) => entry.title === title)!.sheet;
      for (const { title } of entries.filter((entry) =>
        /Tables|Formulas|Deep page \d$|語|页|한국/.test(entry.title),
      )) {
        const onSheet = await pdfFonts(pdf.path, sheetOf(title));
        expect(
          onSheet.filter(({ type }) => type === 'Type 3'),
          title,
        ).toEqual([]);
      }
      for (const [language, page, family] of [
        ['zh', 'chinese', 'NotoSansSC'],
        ['ko', 'korean', 'NotoSansKR'],
        ['ja', 'japanese', 'NotoSansJP'],
      ] as const) {
        await changeSpace(space, { language });
        const { path } = await save(
          language,
          await print(`/v1/spaces/${space._id}/pdf?page=${page}&only=true`),
        );
        const names = (await pdfFonts(path)).map(({ name }) => name.replace(/-.*/, ''));
        expect([...new Set(names)].filter((name) => /(?:JP|KR|SC)$/.test(name))).toEqual([family]);
      }
      await changeSpace(space, { language: 'en' });
    },
  );

  it('has the same bytes from another browser', async ({ whole: { space }, print }) => {
    const path = `/v1/spaces/${space._id}/pdf?page=blocks`;
    const first = await print(path);
    await jobCollection().deleteMany({ 'subject.id': space._id });
    for (const pid of browserProcesses(process.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended with the one before.
      }
    }
    const second = await print(path);
    expect(second.job?.['id']).not.toBe(first.job?.['id']);
    expect(sha256(second.bytes)).toBe(sha256(first.bytes));
  });

  describe('looks like its stored pictures', () => {
    const stored = new URL('../../fixtures/pdf/', import.meta.url);
    const sheets = [
      ['contents', 'Contents', 0],
      ['blocks', 'All of normal-blocks.md', 1],
      ['code', 'Code', 0],
      ['wide-table', 'Tables', 3],
      ['pictures', 'Pictures and notes', 0],
      ['arabic', 'مرحبا بالعالم', 0],
      ['nested', 'Nested blocks', 0],
    ] as const;

    it.skipIf(missingFonts)('sheet by sheet', async ({ whole: { pdf }, printing, skip }) => {
      const major = /\/(\d+)\./.exec(printing.browsers.version)?.[1] ?? '';
      const drawnBy = (await readFile(new URL('chromium.txt', stored), 'utf8')).trim();
      if (major !== drawnBy) {
        console.warn(`Pictures of sheets not compared: they are of Chromium ${drawnBy}, here is ${major}`);
        skip();
      }
      const sheetOf = (title: string) =>
        title === 'Contents' ? 2 : flatOutline(pdf.outline).find((entry) => entry.title === title)!.sheet;
      const missing: string[] = [];
      for (const [name, title, offset] of sheets) {
        const drawn = await drawSheet(pdf.path, sheetOf(title) + offset);
        const file = new URL(`${name}.png`, stored);
        const picture = await readFile(file).catch(() => undefined);
        if (picture) expect(differenceOf(readPng(drawn), readPng(picture)), name).toBeLessThan(0.01);
        else {
          missing.push(name);
          await writeFile(file, drawn);
        }
      }
      expect(missing, 'missing pictures have been written: look at them before you commit them').toEqual([]);
    });
  });
});

/** A page with a changed paragraph where it has the one, and another at its end. */
function changed<Page extends JudgedPage>(page: Page): Page {
  if (!('source' in page)) return page;
  const source = String(page.source).replace('A small table:', 'A tiny table:');
  return { ...page, source: `${source}\nAdded at the end.\n` };
}
