import type { ChunkHeading } from '@bindery/pdf';
import { idOfPage } from '@bindery/render';
import type { ChangeList } from '../changes/bookChanges.ts';
import type { BookEntry } from '../plan/bookEntries.ts';
import type { PdfBook } from '../pdfBook.ts';
import { documentHtml } from '../sheets/chunkHtml.ts';
import { printedOnly, sheetStyle } from '../sheets/sheetStyle.ts';
import { titleText } from '../sheets/titleText.ts';
import { changeListHtml } from './changeListHtml.ts';
import { contentsHtml, type ContentsFacts } from './contentsHtml.ts';
import { coverHtml, type CoverFacts } from './coverHtml.ts';
import { frontStyle } from './frontStyle.ts';

export type FrontFacts = CoverFacts &
  ContentsFacts & {
    entries: readonly BookEntry[];
    changes?: ChangeList | undefined;
  };

/** Writes the front matter: the cover, the list of changes, and the contents. */
export function frontHtml(book: PdfBook, facts: FrontFacts): { html: string; headings: ChunkHeading[] } {
  const headings: ChunkHeading[] = [{ id: 'cover', level: 1, title: titleText(book.title) }];
  const parts = [coverHtml(book, facts)];
  if (facts.changes) {
    const list = changeListHtml(facts.changes, (page) => {
      const id = idOfPage(page);
      return facts.numberOf(id) === undefined ? undefined : `#${id}`;
    });
    headings.push(...list.headings);
    parts.push(list.html);
  }
  if (facts.entries.length > 0) {
    headings.push({ id: 'contents', level: 1, title: 'Contents' });
    parts.push(contentsHtml(facts.entries, facts));
  }
  const style = [frontStyle, sheetStyle(book, 'lower-roman'), printedOnly];
  return { html: documentHtml({ book, style, body: parts.join('\n') }), headings };
}
