import type { Run } from '@bindery/jobs';
import type { BlobStore } from '@bindery/storage';
import type { Browsers } from '../browser/browser.ts';
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
  run: Run;
  plan: BookPlan;
  signal: AbortSignal;
  renderer: PageRenderer;
  /** Where the file grows. */
  path: string;
};
