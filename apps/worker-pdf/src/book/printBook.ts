import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { JobError } from '@bindery/contract';
import type { Run } from '@bindery/jobs';
import { createBookWriter, prepareBookWriter, type OutlineEntry } from '@bindery/pdf';
import { createWorkFolder, faultPoint, ownFolder, removeWorkFolder } from '@bindery/runtime';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { OpenBook } from '../browser/browser.ts';
import { loadPictures } from './content/loadPictures.ts';
import { frontHtml } from './front/frontHtml.ts';
import { logoPath } from './front/coverHtml.ts';
import { hrefOfLink } from './front/hrefOfLink.ts';
import type { BookEntry } from './plan/bookEntries.ts';
import { bookMs } from './plan/limits.ts';
import type { PdfBook } from './pdfBook.ts';
import { planBook, type BookPlan } from './planBook.ts';
import { printBody } from './printBody.ts';
import type { PrintParts, Printing } from './printing.ts';
import { titleText } from './sheets/titleText.ts';

type PrintedBook = {
  file: string;
  sizeBytes: number;
  sheets: number;
  pages: number;
  renderer: string;
};

/**
 * Prints a book and stores it under the hash of its bytes. The same input gives the same bytes, so a run
 * after a crash finds what the run before it has stored.
 *
 * @throws JobError
 */
export async function printBook(book: PdfBook, run: Run, parts: PrintParts): Promise<PrintedBook> {
  run.progress('read');
  const plan = await planBook(book, parts);
  const limit = AbortSignal.timeout(bookMs(plan.chapters.length));
  const signal = AbortSignal.any([run.signal, limit]);
  const folder = await createWorkFolder('pdf');
  const own = ownFolder(folder);
  try {
    await mkdir(own);
    return await parts.renderers.use(async (renderer) =>
      print(book, { ...parts, run, plan, signal, renderer, path: join(own, 'book.pdf') }),
    );
  } catch (error) {
    if (limit.aborted && !run.signal.aborted) throw tooSlow(plan);
    throw error;
  } finally {
    await removeWorkFolder(folder);
  }
}

async function print(book: PdfBook, printing: Printing): Promise<PrintedBook> {
  const { plan, path, signal, run, blobs, browsers, outputVersion } = printing;
  const { revision } = plan.content;
  const { title, author, language } = book;
  const writer = createBookWriter({
    path,
    properties: {
      title: titleText(title),
      ...(author !== '' && { author }),
      language,
      date: revision.createdAt,
      seed: `${JSON.stringify(book)} ${outputVersion}`,
    },
  });
  let browser: OpenBook | undefined;
  try {
    browser = await browsers.openBook(signal);
    await faultPoint('pdf.opened');
    const { sheetOf } = await printBody(book, { ...printing, writer, browser });
    if (plan.hasFront) {
      run.progress('contents');
      await printFront(book, { ...printing, sheetOf, browser, writer });
    }
    run.progress('store');
    const { sheets, sizeBytes, sha256, unresolvedLinks } = await writer.finish({
      outline: outlineOf(plan.entries, (id) => sheetOf.has(id)),
      aliases: Object.fromEntries([...plan.anchors].filter(([id]) => !sheetOf.has(id))),
    });
    if (unresolvedLinks.length > 0)
      run.logger.warn({ links: unresolvedLinks.length }, 'links of a PDF lead nowhere');
    signal.throwIfAborted();
    await blobs.put(blobKey(revision.organization, sha256), createReadStream(path));
    await faultPoint('pdf.stored');
    const pages = plan.chapters.filter(({ page }) => page).length;
    return { file: sha256, sizeBytes, sheets, pages, renderer: outputVersion };
  } finally {
    browser?.close();
    await writer.abort();
    // For the next book, when this one is out of the way.
    prepareBookWriter();
  }
}

type Body = Printing & {
  browser: OpenBook;
  writer: ReturnType<typeof createBookWriter>;
  sheetOf: ReadonlyMap<string, number>;
};

/** Prints what stands in front, last of all: only now the numbers of the contents are known. */
async function printFront(
  book: PdfBook,
  { plan, browser, writer, sheetOf, blobs, chunkDeadlineMs }: Body,
): Promise<void> {
  const { content, entries, changes } = plan;
  const [first] = entries;
  const logo = await loadLogo(book, { blobs, organization: content.revision.organization });
  const { html, headings } = frontHtml(book, {
    revision: { id: content.revision._id, createdAt: content.revision.createdAt },
    pageTitle: book.page === undefined ? undefined : first?.title,
    hasLogo: logo.size > 0,
    entries,
    changes,
    numberOf: (id) => {
      const sheet = sheetOf.get(id);
      return sheet === undefined ? undefined : sheet + 1;
    },
    hrefOf: ({ page }) => hrefOfLink(page, plan.links),
  });
  const loaded = await browser.load({ html, files: logo, deadlineMs: chunkDeadlineMs });
  await loaded.setFirstSheet(1);
  await writer.addFront(await loaded.print(), { headings });
}

async function loadLogo(
  { logo }: PdfBook,
  { blobs, organization }: { blobs: BlobStore; organization: string },
) {
  if (!logo) return new Map();
  const picture = { ...logo, path: logoPath, sizeBytes: 0 };
  return loadPictures([picture], { blobs, organization, onTooLarge: () => undefined });
}

/** The outline has no more levels than this; deeper pages stand beside each other. */
const maxDepth = 30;

/** The tree of pages, without links and without groups that only have links. */
function outlineOf(
  entries: readonly BookEntry[],
  isPrinted: (id: string) => boolean,
  depth = 1,
): OutlineEntry[] {
  return entries
    .filter(({ id }) => isPrinted(id))
    .flatMap(({ id, title: given, children }) => {
      const title = titleText(given);
      const below = outlineOf(children, isPrinted, depth + 1);
      if (depth >= maxDepth) return [{ id, title }, ...below];
      return [{ id, title, ...(below.length > 0 && { children: below }) }];
    });
}

function tooSlow({ chapters }: BookPlan): JobError {
  return new JobError(
    'limit',
    `Printing ${chapters.length} pages takes longer than ${Math.round(bookMs(chapters.length) / 1_000)} seconds.`,
    { class: 'resource', action: 'Print the book in parts, with `page`.' },
  );
}
