import type { Run } from '@bindery/jobs';
import type { BookWriter } from '@bindery/pdf';
import type { BlobStore } from '@bindery/storage';
import type { Browsers } from '../browser/browser.ts';
import type { BookBrowser } from './bookBrowser.ts';
import type { BookTime } from './bookTime.ts';
import type { PdfBook } from './pdfBook.ts';
import type { BookPlan } from './planBook.ts';
import type { PageRenderer, PageRenderers } from './rendering/pageRenderer.ts';

/** Parts that all books of a worker share. */
export type PrintParts = {
  blobs: BlobStore;
  browsers: Browsers;
  renderers: PageRenderers;
  /** The version of everything that decides the bytes beside the content. */
  outputVersion: string;
  /** The time for a chunk to load in Chromium, and again to print. */
  chunkDeadlineMs: number;
};

/** Parts that belong to the printing of one book. */
export type Printing = PrintParts & {
  book: PdfBook;
  run: Run;
  /** As `run.log`, each line once, also when something is printed again. */
  log: Run['log'];
  plan: BookPlan;
  signal: AbortSignal;
  time: BookTime;
  renderer: PageRenderer;
  /** The folder of the run; the file grows in it. */
  folder: string;
  /** The chunks that the writer refused in an earlier turn, by their number, and `frontChunk`. */
  refused: ReadonlySet<number>;
};

/** The number of the chunk with the cover and the contents. */
export const frontChunk = -1;

export type OpenPrinting = Printing & { browser: BookBrowser; writer: BookWriter };
