import { join } from 'node:path';
import type { JobError } from '@bindery/contract';
import { createBookWriter, type ChunkHeading } from '@bindery/pdf';
import type { Chunk as ChunkToLoad } from '../browser/browser.ts';
import { isOfContent } from './failures.ts';
import type { OpenPrinting } from './printing.ts';

type Alone = { chunk: ChunkToLoad; headings: ChunkHeading[]; firstSheet: number };

/**
 * Prints a chunk with nothing else in the browser, and tries to merge it: then a failure is its own. After
 * one, the next chunk gets a new browser.
 *
 * @returns the PDF, or the failure that the content may have caused
 */
export async function printAlone(
  { chunk, headings, firstSheet }: Alone,
  { browser, signal, time, folder }: OpenPrinting,
): Promise<Uint8Array | JobError> {
  time.check();
  try {
    const loaded = await browser.current.load(chunk);
    await loaded.setFirstSheet(firstSheet);
    const pdf = await loaded.print();
    await loaded.close();
    await tryMerge(pdf, { headings, path: join(folder, 'trial.pdf') });
    return pdf;
  } catch (error) {
    signal.throwIfAborted();
    if (!isOfContent(error)) throw error;
    await browser.replace();
    return error;
  }
}

/** Merges it into a file of its own, because a writer that refuses a chunk takes no more. */
async function tryMerge(
  pdf: Uint8Array,
  { headings, path }: { headings: ChunkHeading[]; path: string },
): Promise<void> {
  const writer = createBookWriter({
    path,
    properties: { title: '', language: 'en', date: new Date(0), seed: '' },
  });
  try {
    // A copy: the buffer moves to the thread.
    await writer.addChunk(Uint8Array.from(pdf), { headings });
  } finally {
    await writer.abort();
  }
}
