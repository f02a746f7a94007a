import { hash } from 'node:crypto';
import type { pdfJobs, Processors } from '@bindery/jobs';
import { formatVersion } from '@bindery/pdf';
import { printStyleSheet, styleSheet } from '@bindery/render';
import { frontStyle } from './front/frontStyle.ts';
import { printBook } from './printBook.ts';
import type { PrintParts } from './printing.ts';
import { chunkBytes } from './plan/limits.ts';
import { changeStyle } from './sheets/changeStyle.ts';
import { sheetStyle } from './sheets/sheetStyle.ts';

/** Raise it when the same content comes out otherwise for a reason that `outputVersionOf` does not see. */
const bookVersion = 3;

/**
 * The version of everything that decides the bytes of a PDF beside its input and content. PDFs of another
 * version are printed again.
 *
 * @param chromium  the version of Chromium, and what identifies its fonts
 */
export function outputVersionOf(chromium: string): string {
  const styles = [styleSheet, printStyleSheet, sheetStyle({ pageSize: 'a4' }), changeStyle, frontStyle];
  const decisive = [bookVersion, formatVersion, chromium, process.versions.zlib, chunkBytes, styles];
  return hash('sha256', JSON.stringify(decisive)).slice(0, 16);
}

/** Makes the processors of the jobs of this worker. */
export function createPrinters(parts: PrintParts): Processors<typeof pdfJobs> {
  return {
    printSpace: async (input, run) => ({ result: await printBook(input, run, parts) }),
    printChangeRequest: async (input, run) => ({ result: await printBook(input, run, parts) }),
  };
}
