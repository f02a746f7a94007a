import { JobError } from '@bindery/contract';
import { faultPoint } from '@bindery/runtime';
import type { LoadedChunk } from '../browser/browser.ts';
import { chunkToLoad } from './chunkFiles.ts';
import { ChunkRefused, isOfContent } from './failures.ts';
import { countSheets } from './plan/countSheets.ts';
import { groupPieces, headingsOf, type PlacedPiece } from './plan/chunks.ts';
import { maxSheets } from './plan/limits.ts';
import { printInParts, type PrintedPieces } from './printInParts.ts';
import type { OpenPrinting } from './printing.ts';
import { renderChapters } from './rendering/renderChapters.ts';
import { nameOf } from './rendering/renderPage.ts';

/** A chunk that is being loaded; `chunk` is its number. */
type LoadingChunk = { chunk: number; pieces: PlacedPiece[]; loading: Promise<LoadedChunk> };

/**
 * Prints the pages of a book, chunk by chunk: while one prints, the next is rendered and loaded, and the one
 * before is merged. A chunk that fails is printed again in parts.
 *
 * @returns the sheet of each heading in the body, from 0
 * @throws ChunkRefused when the writer does not take a chunk
 */
export async function printBody(printing: OpenPrinting): Promise<{ sheetOf: Map<string, number> }> {
  const { book, plan, run, renderer, browser, writer, signal, time, log, refused } = printing;
  const { chapters, links, earlier } = plan;
  const rendering = { book, links, earlier, renderer, log };
  const chunks = groupPieces(renderChapters(chapters, rendering));
  const sheetOf = new Map<string, number>();
  let sheets = 0;
  let read = 0;
  let merging: Promise<void> = Promise.resolve();

  const readNext = async (): Promise<LoadingChunk | undefined> => {
    // When this browser is replaced meanwhile, the chunk does not load in the new one, which prints alone.
    const { current } = browser;
    const next = await chunks.next();
    if (next.done) return undefined;
    const { pieces } = next.value;
    const input = await chunkToLoad(pieces, printing);
    const loading = current.load(input).then(async (loaded) => {
      await faultPoint('pdf.loaded');
      return loaded;
    });
    // Its failure is seen in turn.
    loading.catch(() => undefined);
    return { chunk: (read += 1), pieces, loading };
  };
  const merge = async (chunk: number, { pdf, pieces }: PrintedPieces) => {
    const expected = countSheets(pdf);
    sheets += expected;
    if (sheets > maxSheets) throw tooManySheets(nameIn(pieces));
    await merging;
    merging = writer.addChunk(pdf, { headings: headingsOf(pieces) }).then(
      (merged) => {
        if (merged.sheets !== expected)
          throw new JobError('internal', 'The sheets of a chunk were miscounted.');
        for (const [id, sheet] of merged.headingSheets) sheetOf.set(id, sheet);
      },
      (error: unknown) => {
        throw isOfContent(error) ? new ChunkRefused(chunk, error) : error;
      },
    );
    merging.catch(() => undefined);
  };
  const nameIn = (pieces: readonly PlacedPiece[]) => {
    const page = chapters[pieces[0]?.chapter ?? 0]?.page?.page;
    return page && nameOf(page);
  };
  /** Prints a chunk while the next one loads. @returns the failure that its content may have caused */
  const print = async ({ chunk, pieces, loading }: LoadingChunk): Promise<PrintedPieces | JobError> => {
    if (refused.has(chunk)) return new JobError('bad_content', 'The writer refused it.');
    try {
      const loaded = await loading;
      await loaded.setFirstSheet(sheets + 1);
      const pdf = await loaded.print();
      await loaded.close();
      return { pdf, pieces };
    } catch (error) {
      signal.throwIfAborted();
      if (!isOfContent(error)) throw error;
      return error;
    }
  };

  let next = readNext();
  try {
    for (let current = await next; current; current = await next) {
      signal.throwIfAborted();
      time.reach(nameIn(current.pieces));
      time.check();
      const { chunk, pieces } = current;
      next = readNext();
      // Its failure is seen in turn.
      next.catch(() => undefined);
      const beganMs = performance.now();
      const printed = await print(current);
      await faultPoint('pdf.printed');
      if (!(printed instanceof JobError)) await merge(chunk, printed);
      else {
        run.logger.warn({ err: printed, chunk }, 'a chunk is printed again in parts');
        await time.fallback(beganMs, async () => {
          await browser.replace();
          const parts = printInParts(pieces, { firstSheet: sheets + 1, printing, rendering });
          for await (const part of parts) await merge(chunk, part);
        });
      }
      run.progress('print', (pieces.at(-1)?.chapter ?? 0) + 1, chapters.length);
      run.stats({ sheets });
    }
    await merging;
  } finally {
    await chunks.return(undefined);
  }
  return { sheetOf };
}

function tooManySheets(page: string | undefined): JobError {
  const where = page === undefined ? '' : ` It has as many at the page ${page}.`;
  return new JobError('limit', `The PDF would have more than ${maxSheets} sheets.${where}`, {
    action: 'Print it in parts, with `page`.',
  });
}
