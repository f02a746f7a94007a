import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBookWriter, type FinishedBook, type OutlineEntry } from '@bindery/pdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookPages, chunkHtml, type BookPage } from '../support/pdf/bookHtml.ts';
import { everyBlock } from '../support/pdf/everyBlock.ts';
import {
  checkWithQpdf,
  pdfAddresses,
  pdfInfo,
  pdfPicture,
  pdfText,
  providePdfPrograms,
  viewWithQpdf,
  type QpdfOutline,
  type QpdfValue,
  type QpdfView,
} from '../support/pdf/judges.ts';
import { startPrinter, type Printer } from '../support/pdf/printHtml.ts';
import { checkAccessibility } from '../support/pdf/veraPdf.ts';

const missing = await providePdfPrograms();
const properties = {
  title: 'The handbook (ünï) & more',
  author: 'Ann Author',
  language: 'en-GB',
  date: new Date('2026-01-02T03:04:05Z'),
  seed: 'a seed',
};

describe.skipIf(missing)('a book of several prints', () => {
  let printer: Printer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-book-'));
    printer = await startPrinter();
  });
  afterAll(async () => {
    await printer?.close();
    await rm(folder, { recursive: true, force: true });
  });

  type Written = { path: string; book: FinishedBook; sheetOf: Map<string, number> };

  /** Prints and writes a book, a chunk for each group of pages, and contents in front of it. */
  async function writeBook(name: string, groups: BookPage[][]): Promise<Written> {
    const path = join(folder, name);
    const writer = createBookWriter({ path, properties });
    const sheetOf = new Map<string, number>();
    let sheets = 0;
    for (const pages of groups) {
      const pdf = await printer.print(chunkHtml(pages, { firstSheet: sheets + 1 }));
      const added = await writer.addChunk(pdf, { headings: pages.flatMap(({ headings }) => headings) });
      for (const [id, sheet] of added.headingSheets) sheetOf.set(id, sheet);
      sheets += added.sheets;
    }
    const all = groups.flat();
    const entries = all.map(
      ({ headings: [{ id, title } = { id: '', title: '' }] }) =>
        `<li><a href="https://render.invalid/#${id}">${title}</a> ${sheetOf.get(id)! + 1}</li>`,
    );
    const front = await printer.print(
      chunkHtml([{ html: `<p>Cover</p><h1>Contents</h1><ol>${entries.join('')}</ol>`, headings: [] }]),
    );
    await writer.addFront(front, { headings: [{ id: 'contents', level: 1, title: 'Contents' }] });
    return { path, book: await writer.finish({ outline: all.map(outlineOf) }), sheetOf };
  }

  const groups = [[everyBlock, ...bookPages({ count: 6 }).slice(0, 2)], bookPages({ count: 6 }).slice(2)];
  let written: Written;
  let view: QpdfView;
  beforeAll(async () => {
    written = await writeBook('book.pdf', groups);
    view = await viewWithQpdf(written.path);
  });

  it('is valid for qpdf', () => checkWithQpdf(written.path));

  it('is accessible: PDF/UA-1, by veraPDF', { timeout: 300_000 }, async () => {
    const { failures, checks } = await checkAccessibility(written.path);
    expect(failures).toEqual([]);
    expect(checks).toBeGreaterThan(10_000);
  });

  it('has its properties, and the reported size and hash', async () => {
    const { book, path } = written;
    expect(await pdfInfo(path)).toMatchObject({
      Title: properties.title,
      Author: properties.author,
      Tagged: 'yes',
      Pages: String(book.sheets),
      'PDF version': '1.7',
    });
    expect((await stat(path)).size).toBe(book.sizeBytes);
    expect(
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ).toBe(book.sha256);
    expect(await readFile(path, 'latin1')).toContain('<pdfuaid:part>1</pdfuaid:part>');
  });

  it('has the same bytes when it is printed and written again', async () => {
    expect((await writeBook('again.pdf', groups)).book).toEqual(written.book);
  });

  it('contains all text in order, once', async () => {
    const text = await pdfText(written.path);
    let at = text.indexOf('Contents');
    for (const block of groups.flat().flatMap(textsOf)) {
      const found = text.indexOf(block, at);
      expect(found, `"${block}" after "${text.slice(Math.max(0, at - 60), at)}"`).toBeGreaterThanOrEqual(0);
      at = found + block.length;
    }
  });

  it('links to the sheets of its headings, with a description for each link', () => {
    const destinations = destinationsOf(view);
    const links = Object.values(view.objects).filter((value) => nameOf(value, '/Subtype') === '/Link');
    const inside = links.filter((link) => textIn(link, '/Dest') !== '');
    expect(links.every((link) => textIn(link, '/Contents').length > 2)).toBe(true);
    const pageLinks = inside.filter((link) => textIn(link, '/Dest').startsWith('u:page-'));
    expect(pageLinks.length).toBeGreaterThan(6 * 6);
    for (const link of pageLinks) {
      const id = textIn(link, '/Dest').slice(2);
      const sheet = view.pages.indexOf(destinations.get(id)!);
      expect(sheet - written.book.frontSheets, id).toBe(written.sheetOf.get(id));
    }
    expect(inside.map((link) => nameOf(link, '/Dest'))).toContain('u:note-1');
    expect(destinations.has('note-1')).toBe(true);
    expect(written.book.unresolvedLinks).toEqual([]);
  });

  it('keeps web and mail addresses, and no other kind of action', async () => {
    const addresses = new Set(await pdfAddresses(written.path));
    expect(addresses).toContain('https://example.com/a?b=(c)');
    expect(addresses).toContain('mailto:someone@example.com');
    expect(addresses).toContain('https://example.com/?page=5&q=(a)');
    expect(await readFile(written.path, 'latin1')).not.toContain('render.invalid');
  });

  it('has the outline of its headings', () => {
    const flat = (items: QpdfOutline[]): [string, number][] =>
      items.flatMap(({ title, destpageposfrom1, kids }) => [[title, destpageposfrom1], ...flat(kids)]);
    const wanted = groups
      .flat()
      .flatMap(({ headings }) =>
        headings.map(({ id, title }) => [title, written.book.frontSheets + written.sheetOf.get(id)! + 1]),
      );
    expect(flat(view.outlines)).toEqual(wanted);
    const entries = Object.values(view.objects).filter(
      (value) => nameOf(value, '/Title') && nameOf(value, '/Dest'),
    );
    expect(entries).toHaveLength(wanted.length);
    for (const entry of entries)
      expect(nameOf(view.objects[textIn(entry, '/SE')]!, '/S')).toMatch(/^\/H[123]$/);
  });

  it('numbers the sheets of the front i, ii and the sheets of the body from 1', () => {
    expect(view.pageLabels).toEqual([
      { index: 0, label: { '/S': '/r', '/St': 1 } },
      { index: written.book.frontSheets, label: { '/S': '/D', '/St': 1 } },
    ]);
  });

  it('has one document, list bodies, and ids that are unique in the book', () => {
    const elements = Object.values(view.objects).filter(
      (value) => nameOf(value, '/S') && nameOf(value, '/P'),
    );
    const ofType = (type: string) => elements.filter((element) => nameOf(element, '/S') === type);
    expect(ofType('/Document')).toHaveLength(1);
    expect(ofType('/LBody').length).toBe(ofType('/LI').length);
    expect(ofType('/Figure').map((element) => nameOf(element, '/Alt'))).toEqual(
      expect.arrayContaining(['u:A square', 'u:Write to us', 'u:E = mc^2', 'u:circle']),
    );
    const ids = elements.flatMap((element) => nameOf(element, '/ID') ?? []);
    expect(ids).toEqual(ids.map((_, index) => `u:node${String(index + 1).padStart(8, '0')}`));
  });

  it('looks the same as the print', async () => {
    const print = join(folder, 'print.pdf');
    await writeFile(print, await printer.print(chunkHtml(groups[0]!)));
    const sheets = Number((await pdfInfo(print)).Pages);
    const { frontSheets } = written.book;
    for (let sheet = 1; sheet <= sheets; sheet += 1)
      expect(await pdfPicture(written.path, frontSheets + sheet), `sheet ${sheet}`).toBe(
        await pdfPicture(print, sheet),
      );
  });

  it('contains pictures and fonts of several chunks once', async () => {
    const [once, twice] = [
      await writeBook('one.pdf', [[everyBlock]]),
      await writeBook('two.pdf', [[everyBlock], [renamed(everyBlock)]]),
    ];
    const added = twice.book.sizeBytes - once.book.sizeBytes;
    const print = await printer.print(chunkHtml([everyBlock]));
    expect(added).toBeLessThan(print.length / 3);
  });

  describe('a chunk is refused when it', () => {
    const add = async (html: string, headings: BookPage['headings'] = []) => {
      const path = join(folder, 'refused.pdf');
      const writer = createBookWriter({ path, properties });
      const pdf = await printer.print(chunkHtml([{ html, headings }]));
      const failure: unknown = await writer.addChunk(pdf, { headings }).catch((error: unknown) => error);
      expect(await writer.finish({ outline: [] }).catch((error: unknown) => error)).toBe(failure);
      await writer.abort();
      await expect(stat(path)).rejects.toThrow('ENOENT');
      return failure;
    };
    const one = [{ id: 'one', level: 1, title: 'One' }];

    it('has more headings than expected', async () => {
      expect(await add('<h1>a</h1><h2>b</h2>', one)).toMatchObject({
        code: 'bad_content',
        message: expect.stringContaining('more than 1 visible headings') as string,
      });
    });

    it.each(['javascript:alert(1)', 'file:///etc/passwd', 'ftp://example.com/', 'data:text/html,x'])(
      'has a link to %s',
      async (address) => {
        expect(await add(`<p><a href="${address}">link</a></p>`)).toMatchObject({ code: 'bad_content' });
      },
    );

    it('has an id that the book already has', async () => {
      expect(await add('<h1>a</h1><h2>b</h2>', [...one, ...one])).toMatchObject({ code: 'internal' });
    });
  });

  it('links to the place of a heading that draws nothing', async () => {
    const path = join(folder, 'undrawn.pdf');
    const writer = createBookWriter({ path, properties });
    const undrawn = '<h2 id="b"><span style="display:inline-block;height:9px;width:9px"></span></h2>';
    const html = `<h1 id="a">One</h1>${undrawn}<h2 id="c" style="break-before:page">Three</h2><p><a href="#b">to b</a></p>`;
    const headings = ['a', 'b', 'c'].map((id) => ({ id, level: 1, title: id === 'c' ? 'Three' : 'One' }));
    const { headingSheets } = await writer.addChunk(await printer.print(chunkHtml([{ html, headings }])), {
      headings,
    });
    expect([...headingSheets]).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 1],
    ]);
    const { unresolvedLinks } = await writer.finish({ outline: headings });
    expect(unresolvedLinks).toEqual([]);
    expect(await checkAccessibility(path)).toMatchObject({ failures: [] });
  });

  it('accepts blank sheets, and links without a structure element', async () => {
    const path = join(folder, 'blank.pdf');
    const writer = createBookWriter({ path, properties });
    for (const html of ['', `<iframe srcdoc="<a href='https://example.com/'>framed</a>"></iframe>`])
      await writer.addChunk(await printer.print(chunkHtml([{ html, headings: [] }])), { headings: [] });
    await writer.finish({ outline: [] });
    expect(await checkAccessibility(path)).toMatchObject({ failures: [] });
    expect(await pdfAddresses(path)).toEqual(['https://example.com/']);
  });

  it('stops at once and leaves no file when it is aborted', async () => {
    const path = join(folder, 'aborted.pdf');
    const writer = createBookWriter({ path, properties });
    const pdf = await printer.print(chunkHtml(groups[1]!));
    const headings = groups[1]!.flatMap((page) => page.headings);
    const adding = writer.addChunk(pdf, { headings }).catch((error: unknown) => error);
    await writer.abort();
    expect(await adding).toMatchObject({ code: 'internal', message: 'The book was aborted.' });
    await expect(writer.finish({ outline: [] })).rejects.toThrow('The book was aborted.');
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it('reports links without a destination, and stays valid', async () => {
    const path = join(folder, 'nowhere.pdf');
    const writer = createBookWriter({ path, properties });
    const html =
      '<p><a href="https://render.invalid/#n%C3%B6where">a</a> <a href="https://render.invalid/x">b</a></p>';
    await writer.addChunk(await printer.print(chunkHtml([{ html, headings: [] }])), { headings: [] });
    const book = await writer.finish({ outline: [] });
    expect(book.unresolvedLinks).toEqual(['nöwhere', 'x']);
    await checkWithQpdf(path);
    expect(await pdfAddresses(path)).toEqual([]);
  });
});

function outlineOf({ headings: [first, ...others] }: BookPage): OutlineEntry {
  const { id, title } = first!;
  return { id, title, children: others.map((heading) => ({ id: heading.id, title: heading.title })) };
}

/** The texts of a page between its tags, without white space. */
function textsOf({ html }: BookPage): string[] {
  const texts = html
    .replaceAll(/<[^>]*>/g, '\u0000')
    .replaceAll('&amp;', '&')
    .replaceAll(/[ \n]/g, '');
  return texts.split('\u0000').filter(Boolean);
}

function renamed({ html, headings }: BookPage): BookPage {
  return {
    html: html.replaceAll(/id="/g, '$&again-'),
    headings: headings.map((heading) => ({ ...heading, id: `again-${heading.id}`, anchors: [] })),
  };
}

function nameOf(value: QpdfValue, name: string): QpdfValue | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : undefined;
}

/** The text, name or reference of an entry; empty when there is none. */
function textIn(value: QpdfValue, name: string): string {
  const found = nameOf(value, name);
  return typeof found === 'string' ? found : '';
}

/** The page of each named destination. */
function destinationsOf({ objects }: QpdfView): Map<string, string> {
  const pages = new Map<string, string>();
  for (const value of Object.values(objects)) {
    const names = nameOf(value, '/Names');
    if (!Array.isArray(names)) continue;
    for (const [index, name] of names.entries()) {
      const [page] = [names[index + 1]].flat();
      if (index % 2 === 0 && typeof name === 'string' && typeof page === 'string')
        pages.set(name.slice(2), page);
    }
  }
  return pages;
}
