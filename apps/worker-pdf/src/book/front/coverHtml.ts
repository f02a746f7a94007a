import type { PdfBook } from '../pdfBook.ts';
import { htmlText } from '../sheets/htmlText.ts';
import { titleText } from '../sheets/titleText.ts';

/** The path that Chromium asks for the logo. */
export const logoPath = 'files/logo';

/** Lines of the cover that are not in the input of the job. */
export type CoverFacts = {
  revision: { id: string; createdAt: Date };
  /** The title of the page that the book begins with, if it is not the whole space. */
  pageTitle?: string | undefined;
  hasLogo: boolean;
};

/** The cover: titles, what was printed and when it was written. Dates are in UTC, the same for every run. */
export function coverHtml(
  { title, author, number, subject, changesFrom }: PdfBook,
  { revision, pageTitle, hasLogo }: CoverFacts,
): string {
  const change =
    number === undefined
      ? undefined
      : `Change request #${number}${subject?.trim() ? `: ${subject.trim()}` : ''}`;
  const lines = [
    pageTitle === undefined ? undefined : ['subject', pageTitle],
    change === undefined ? undefined : ['subject', change],
    changesFrom === undefined ? undefined : ['', 'Changed pages only'],
    author === '' ? undefined : ['', author],
    ['', dateText(revision.createdAt)],
    ['', `Revision ${revision.id.slice(0, 8)}`],
  ].flatMap((line) => (line ? [line as [string, string]] : []));
  const logo = hasLogo ? `<img src="${logoPath}" alt="${htmlText(author || 'Logo')}">` : '';
  const texts = lines.map(
    ([name, text]) => `<p${name === '' ? '' : ` class="${name}"`}>${htmlText(text)}</p>`,
  );
  return `<section class="cover">${logo}<h1 id="cover" dir="auto">${htmlText(titleText(title))}</h1>${texts.join('')}</section>`;
}

function dateText(date: Date): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
