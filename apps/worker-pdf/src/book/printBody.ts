import { JobError } from '@bindery/contract';
import type { createBookWriter } from '@bindery/pdf';
import { faultPoint } from '@bindery/runtime';
import type { LoadedChunk, OpenBook } from '../browser/browser.ts';
import { loadPictures } from './content/loadPictures.ts';
import { countSheets } from './plan/countSheets.ts';
import { groupPieces, type Chunk } from './plan/chunks.ts';
import { maxPixels, maxSheets } from './plan/limits.ts';
import type { Picture } from './plan/pieces.ts';
import type { PdfBook } from './pdfBook.ts';
import type { Printing } from './printing.ts';
import { renderChapters } from './rendering/renderChapters.ts';
import { chunkHtml } from './sheets/chunkHtml.ts';

type Body = Printing & { browser: OpenBook; writer: ReturnType<typeof createBookWriter> };

/**
 * Prints the pages of a book, chunk by chunk: while one prints, the next is rendered and loaded, and the one
 * before is merged.
 *
 * @returns the sheet of each heading in the body, from 0
 */
export async function printBody(
  book: PdfBook,
  { plan, run, renderer, browser, writer, blobs, signal, chunkDeadlineMs }: Body,
): Promise<{ sheetOf: Map<string, number> }> {
  const { chapters, links, earlier, content } = plan;
  const { organization } = content.revision;
  const chunks = groupPieces(renderChapters(chapters, { book, links, earlier, renderer, log: run.log }));
  const load = async (): Promise<{ chunk: Chunk; loaded: LoadedChunk } | undefined> => {
    const read = await chunks.next();
    if (read.done) return undefined;
    const chunk = read.value;
    const onTooLarge = (picture: Picture, pixels: number) => {
      const { chapter = 0 } = chunk.pieces.find(({ pictures }) => pictures.includes(picture)) ?? {};
      run.log('warning', tooManyPixels(pixels), chapters[chapter]?.page?.title);
    };
    const files = await loadPictures(
      chunk.pieces.flatMap(({ pictures }) => pictures),
      { blobs, organization, onTooLarge },
    );
    const html = chunkHtml(chunk, book, chapters);
    const loaded = await browser.load({ html, files, deadlineMs: chunkDeadlineMs });
    await faultPoint('pdf.loaded');
    return { chunk, loaded };
  };
  const sheetOf = new Map<string, number>();
  let sheets = 0;
  let merging: Promise<void> = Promise.resolve();
  let next = load();
  try {
    for (let current = await next; current; current = await next) {
      signal.throwIfAborted();
      const { chunk, loaded } = current;
      next = load();
      // Its failure is seen in turn.
      next.catch(() => undefined);
      await loaded.setFirstSheet(sheets + 1);
      const pdf = await loaded.print();
      const closing = loaded.close();
      await faultPoint('pdf.printed');
      const expected = countSheets(pdf);
      sheets += expected;
      if (sheets > maxSheets) throw tooManySheets();
      await merging;
      merging = writer
        .addChunk(pdf, { headings: chunk.pieces.flatMap(({ headings }) => headings) })
        .then((merged) => {
          if (merged.sheets !== expected)
            throw new JobError('internal', 'The sheets of a chunk were miscounted.');
          for (const [id, sheet] of merged.headingSheets) sheetOf.set(id, sheet);
        });
      merging.catch(() => undefined);
      run.progress('print', (chunk.pieces.at(-1)?.chapter ?? 0) + 1, chapters.length);
      run.stats({ sheets });
      await closing;
    }
    await merging;
  } finally {
    // Whatever is still loading belongs to a book that is given up.
    next.then(
      (left) => left?.loaded.close(),
      () => undefined,
    );
    await chunks.return(undefined);
  }
  return { sheetOf };
}

function tooManyPixels(pixels: number): string {
  const millions = (count: number) => Math.ceil(count / 1_000_000);
  return `A picture of ${millions(pixels)} million pixels is not printed; a picture may have ${millions(maxPixels.picture)} million, and those of a few pages together ${millions(maxPixels.chunk)}.`;
}

function tooManySheets(): JobError {
  return new JobError('limit', `The PDF would have more than ${maxSheets} sheets.`, {
    action: 'Print it in parts, with `page`.',
  });
}
