import { trimmedSides } from '@bindery/contract/trimCharacters';
import { markdownReader, maxInlineLength, plainText } from './commonMark.ts';

const reader = markdownReader(100);

/** The level 1 heading at the start of a body: the range of its lines, and its inline content as written. */
export type LeadingHeading = { start: number; end: number; content: string };

/**
 * Splits the heading off a page's body: the level 1 heading that is its first block.
 *
 * @param body  a page without its frontmatter
 * @returns `title` as plain text, absent when the body begins with another block, and `rest`, the text after
 *   that heading
 */
export function splitTitle(body: string): { title?: string; rest: string } {
  const found = leadingHeading(body);
  return found ? { title: textOfHeading(found.content), rest: body.slice(found.end) } : { rest: body };
}

/**
 * Removes the title line from a page's body. A heading other than the title is part of the document.
 *
 * @param title  of the page
 */
export function withoutTitle(body: string, title: string): string {
  const found = leadingHeading(body);
  if (!found) return body;
  const text = textOfHeading(found.content);
  // A heading with only a picture has no text, and stays visible.
  const isTitle = found.content === '' || (text !== '' && isSameTitle(text, title));
  return isTitle ? body.slice(found.end) : body;
}

/**
 * Tells whether two titles say the same, regardless of case, white space, the accents of Latin letters and
 * the punctuation of sentences.
 */
export function isSameTitle(one: string, other: string): boolean {
  return one === other || wordsOf(one) === wordsOf(other);
}

/**
 * Stands for a word or a part of a name: C is not C#. Of the punctuation that Unicode knows, these are the
 * marks that say something.
 */
const symbols = /[\p{S}#%&/@\\§‰‱]/gu;
/** Quotes, dashes, brackets, marks of emphasis and code, and what ends or divides a sentence. */
const marks = /(?![#%&/@\\§‰‱])[\p{P}`]/gu;

function wordsOf(title: string): string {
  const text = title
    .normalize('NFKD')
    // In other scripts, marks distinguish words.
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replaceAll('\uFE0F', '')
    .toLowerCase();
  const words = text.replaceAll(marks, ' ').replaceAll(symbols, ' $& ').replaceAll(/\s+/g, ' ').trim();
  // Titles that consist only of punctuation are compared as they are.
  return words === '' ? text.trim() : words;
}

/** Finds the level 1 heading that is the first block of a body. */
export function leadingHeading(body: string): LeadingHeading | undefined {
  const [blank = ''] = /^\uFEFF?(?:[ \t]*(?:\r\n|\r|\n))*/.exec(body) ?? [];
  const start = blank.length;
  const { line, next } = lineAt(body, start);
  if (!/^ {0,3}#(?:[ \t]|$)/.test(line)) return underlined(body, start);
  // A longer line is not a title.
  if (line.length > maxInlineLength) return undefined;
  return { start, end: next, content: trimmed(withoutClosingSequence(trimmed(line).slice(1))) };
}

/** Reads `Title` with `===` below it, on one line or several. */
function underlined(body: string, start: number): LeadingHeading | undefined {
  const beginning = body.slice(start, start + maxInlineLength);
  if (!/^ {0,3}=+[ \t]*$/m.test(beginning)) return undefined;
  const [heading, inline] = reader.blocks(beginning).tokens;
  // Definitions of references before the heading are lines of their own.
  if (heading?.type !== 'heading_open' || heading.tag !== 'h1' || heading.map?.[0] !== 0) return undefined;
  let end = start;
  for (let line = 0; line < heading.map[1]; line += 1) end = lineAt(body, end).next;
  return { start, end, content: inline?.content ?? '' };
}

/** Returns the plain text of a heading's content. */
export function textOfHeading(content: string): string {
  return /[\\`*_[\]<>&!\n]/.test(content) ? plainText(reader.inline(content)) : content.trim();
}

function lineAt(body: string, from: number): { line: string; next: number } {
  const ending = /\r\n?|\n/g;
  ending.lastIndex = from;
  const found = ending.exec(body);
  return found
    ? { line: body.slice(from, found.index), next: found.index + found[0].length }
    : { line: body.slice(from), next: body.length };
}

/** Trims only Markdown's white space, because the text may have a character for each byte. */
function trimmed(text: string): string {
  return trimmedSides(text, ' \t');
}

/** Removes the closing sequence of `# Title ##`, which counts only after white space. */
function withoutClosingSequence(content: string): string {
  let end = content.length;
  while (content[end - 1] === '#') end -= 1;
  return end === 0 || content[end - 1] === ' ' || content[end - 1] === '\t' ? content.slice(0, end) : content;
}
