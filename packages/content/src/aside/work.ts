import { parseDocument } from '../document/parseDocument.ts';
import { writePageSource, type PageChanges } from '../document/pageSource.ts';
import { writePage } from '../edit/writePage.ts';
import { metaLinksOf } from '../gitbook/metaLinks.ts';
import type { PageSource } from '../store/documents.ts';

/** The functions that run on other threads: pure, synchronous, and of one argument, which is copied to the thread. */
export const asideWork = {
  parseDocument,
  metaLinksOf,
  writePage,
  writePageSource: ({ source, changes }: { source: PageSource; changes: PageChanges }) => writePageSource(source, changes),
};

export type AsideWork = typeof asideWork;
