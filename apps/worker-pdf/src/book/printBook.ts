import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from '@bindery/jobs';
import { createBookWriter, prepareBookWriter, type OutlineEntry } from '@bindery/pdf';
import { createWorkFolder, faultPoint, ownFolder, removeWorkFolder } from '@bindery/runtime';
import { blobKey } from '@bindery/storage';
import { openBookBrowser, type BookBrowser } from './bookBrowser.ts';
import { startBookTime } from './bookTime.ts';
import { ChunkRefused } from './failures.ts';
import type { BookEntry } from './plan/bookEntries.ts';
import { maxFailedMerges } from './plan/limits.ts';
import type { PdfBook } from './pdfBook.ts';
import { planBook } from './planBook.ts';
import { printBody } from './printBody.ts';
import { printFront } from './printFront.ts';
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
  const time = startBookTime(plan.chapters.length);
  const signal = AbortSignal.any([run.signal, time.signal]);
  const work = await createWorkFolder('pdf');
  const folder = ownFolder(work);
  const refused = new Set<number>();
  const log = eachOnce(run.log);
  try {
    await mkdir(folder);
    return await parts.renderers.use(async (renderer) => {
      for (;;) {
        try {
          return await print({ ...parts, book, run, log, plan, signal, time, renderer, folder, refused });
        } catch (error) {
          if (!(error instanceof ChunkRefused)) throw error;
          if (refused.has(error.chunk) || refused.size === maxFailedMerges) throw error.cause;
          // The writer takes nothing more: the book begins again, and prints this chunk in parts.
          run.logger.warn({ err: error.cause, chunk: error.chunk }, 'a book is printed again');
          refused.add(error.chunk);
          time.restart();
        }
      }
    });
  } catch (error) {
    if (time.signal.aborted && !run.signal.aborted) throw time.tooSlow();
    throw error;
  } finally {
    await removeWorkFolder(work);
  }
}

async function print(printing: Printing): Promise<PrintedBook> {
  const { book, plan, folder, signal, run, blobs, browsers, outputVersion } = printing;
  const { revision } = plan.content;
  const { title, author, language } = book;
  const path = join(folder, 'book.pdf');
  const writer = createBookWriter({
    path,
    properties: {
      title: titleText(title),
      author,
      language,
      date: revision.createdAt,
      seed: `${JSON.stringify(book)} ${outputVersion}`,
    },
  });
  let browser: BookBrowser | undefined;
  try {
    browser = await openBookBrowser(browsers, signal);
    await faultPoint('pdf.opened');
    const { sheetOf } = await printBody({ ...printing, writer, browser });
    if (plan.hasFront) {
      run.progress('contents');
      await printFront(sheetOf, { ...printing, browser, writer });
    }
    browser.close();
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
    // After a failure, a chunk may still be loading.
    browser?.discard();
    await writer.abort();
    // For the next book, when this one is out of the way.
    prepareBookWriter();
  }
}

/** A book that is printed again says nothing twice. */
function eachOnce(log: Run['log']): Run['log'] {
  const said = new Set<string>();
  return (level, message, path) => {
    const line = JSON.stringify([level, message, path]);
    if (said.has(line)) return;
    said.add(line);
    log(level, message, path);
  };
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
      return [{ id, title, children: below.length > 0 ? below : undefined }];
    });
}
