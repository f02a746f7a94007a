import { mathStyleSheet, printStyleSheet, styleSheet } from '@bindery/render';
import type { Chapter } from '../plan/chapters.ts';
import type { PlacedPiece } from '../plan/chunks.ts';
import type { PdfBook } from '../pdfBook.ts';
import { changeStyle } from './changeStyle.ts';
import { htmlText } from './htmlText.ts';
import { linkOtherChunks } from './linkOtherChunks.ts';
import { printedOnly, runningTitleStyle, sheetStyle } from './sheetStyle.ts';

/** The HTML of a chunk: an article for each page, below its own running title. */
export function chunkHtml(
  pieces: readonly PlacedPiece[],
  book: PdfBook,
  chapters: readonly Chapter[],
): string {
  const byChapter = Map.groupBy(pieces, ({ chapter }) => chapter);
  const titles = [...byChapter.keys()].map((chapter) => ({
    chapter,
    title: titleOf(chapters[chapter]),
  }));
  const body = [...byChapter].map(([chapter, parts]) => chapterHtml(chapter, parts, book));
  const hasMath = pieces.some((piece) => piece.hasMath);
  return documentHtml({
    book,
    style: [
      styleSheet,
      printStyleSheet,
      hasMath ? mathStyleSheet() : printedOnly,
      sheetStyle(book),
      changeStyle,
      runningTitleStyle(titles, book),
    ],
    body: body.join('\n'),
  });
}

/** A whole document for Chromium. */
export function documentHtml({
  book,
  style,
  body,
}: {
  book: Pick<PdfBook, 'language' | 'title'>;
  style: readonly string[];
  body: string;
}): string {
  const { language, title } = book;
  return (
    `<!doctype html><html lang="${htmlText(language)}"><head><meta charset="utf-8"><title>${htmlText(title)}</title>` +
    `<style>${style.join('\n')}</style></head><body>${linkOtherChunks(body)}</body></html>`
  );
}

function chapterHtml(chapter: number, parts: readonly PlacedPiece[], { language }: PdfBook): string {
  const html = parts.map((part) => part.html).join('');
  const head = parts.map((part) => part.head).join('');
  const direction = parts[0]?.direction ?? 'ltr';
  const article =
    html === ''
      ? ''
      : `<article class="page" lang="${htmlText(language)}" dir="${direction}">${html}</article>`;
  return `<div class="chapter n${chapter}">${head}${article}</div>`;
}

function titleOf(chapter: Chapter | undefined): string {
  return (chapter?.page ?? chapter?.groups.at(-1))?.title ?? '';
}
