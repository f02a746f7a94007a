import type { PdfBook } from '../pdfBook.ts';
import { cssText } from './cssText.ts';

const sizes = { a4: 'A4', letter: 'letter' } as const;
const maxRunningTitle = 90;

/**
 * The families outside of pages. Scripts whose letters join are named: the font of mathematics also has such
 * letters, but each alone.
 */
export const plainFamilies = "'Noto Sans', 'Amiri', 'Noto Sans Hebrew', sans-serif";
/** Fonts of the margin boxes, which inherit nothing from the page's text. */
const marginFont = `font: 8pt ${plainFamilies}; color: #555`;

/**
 * The sheets of a book: size, margins and page numbers. Bodies count from 1; what stands before them has
 * roman numbers.
 */
export function sheetStyle(
  { pageSize }: Pick<PdfBook, 'pageSize'>,
  numbers: 'decimal' | 'lower-roman' = 'decimal',
): string {
  const size = sizes[pageSize];
  return `
@page { size: ${size}; margin: 22mm 20mm 20mm;
  @bottom-center { content: counter(page${numbers === 'decimal' ? '' : `, ${numbers}`}); ${marginFont} } }
@page plain { @bottom-center { content: none } }
body { margin: 0 }
.chapter { break-before: page }
.chapter:first-of-type { break-before: auto }
.chapter .groups > * { break-after: avoid }
.group-title { margin: 0 0 .4em; font: 700 12pt ${plainFamilies}; color: #555 }`;
}

/**
 * Saves Chromium the layout for a screen, a tenth of its time. Not for documents with fonts of their own,
 * which load when they are laid out.
 */
export const printedOnly = '@media screen { body { display: none } }';

/**
 * Prints the title of a chapter at the top of its sheets: each chapter has two named pages, one turned.
 */
export function runningTitleStyle(
  chapters: readonly { chapter: number; title: string }[],
  { pageSize }: Pick<PdfBook, 'pageSize'>,
): string {
  return chapters
    .map(({ chapter, title }) => {
      const name = `n${chapter}`;
      const characters = Array.from(title.trim());
      const short =
        characters.length > maxRunningTitle
          ? `${characters.slice(0, maxRunningTitle).join('')}…`
          : characters.join('');
      const top = `@top-right{content:${cssText(short)};${marginFont}}`;
      // Titles of groups turn with the page that they stand above.
      const wide = `.${name} :is(.wide,.groups:has(+ .page > .wide:first-child))`;
      return (
        `.${name}{page:${name}}@page ${name}{${top}}` +
        `${wide}{page:${name}w}@page ${name}w{size:${sizes[pageSize]} landscape;${top}}`
      );
    })
    .join('\n');
}
