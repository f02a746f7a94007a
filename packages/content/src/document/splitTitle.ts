import { markdownReader, maxInlineLength, plainText } from '../gitbook/markdown.ts';

const reader = markdownReader(100);

/**
 * Takes the title off a page's body: the heading of the first level that it begins with.
 *
 * @param body  a page without its frontmatter
 * @returns `title` as plain text, absent when the body begins with anything else, and as `rest` what follows that heading
 */
export function splitTitle(body: string): { title?: string; rest: string } {
  const start = startOfText(body);
  const { line, next } = lineAt(body, start);
  if (line.length > maxInlineLength) return { rest: body };
  if (/^ {0,3}#(?:[ \t]|$)/.test(line)) return { title: titleOf(withoutClosingSequence(line.trim().slice(1))), rest: body.slice(next) };
  const below = lineAt(body, next);
  // `Title` with `===` below it; a line that begins a block of another kind is no title.
  if (/^ {0,3}=+[ \t]*$/.test(below.line) && /^ {0,3}[^\s#>*+\-`~<|{]/.test(line) && !/^ {0,3}\d+[.)]/.test(line)) {
    return { title: titleOf(line), rest: body.slice(below.next) };
  }
  return { rest: body };
}

/** The beginning of the first line that is not blank. */
function startOfText(body: string): number {
  const [blank = ''] = /^\uFEFF?(?:[ \t]*(?:\r\n|\r|\n))*/.exec(body) ?? [];
  return blank.length;
}

function lineAt(body: string, from: number): { line: string; next: number } {
  const ending = /\r\n?|\n/g;
  ending.lastIndex = from;
  const found = ending.exec(body);
  return found
    ? { line: body.slice(from, found.index), next: found.index + found[0].length }
    : { line: body.slice(from), next: body.length };
}

function titleOf(content: string): string {
  const trimmed = content.trim();
  return /[\\`*_[\]<>&!]/.test(trimmed) ? plainText(reader.inline(trimmed)) : trimmed;
}

/** `# Title ##` is titled `Title`; the sequence counts only after white space. */
function withoutClosingSequence(content: string): string {
  let end = content.length;
  while (content[end - 1] === '#') end -= 1;
  return end === 0 || content[end - 1] === ' ' || content[end - 1] === '\t' ? content.slice(0, end) : content;
}
