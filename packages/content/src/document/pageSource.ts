import { markdownReader, plainText } from '../gitbook/markdown.ts';
import { yamlOfFrontmatter } from '../gitbook/splitFrontmatter.ts';
import type { PageSource } from '../store/documents.ts';
import { editFrontmatter, type FrontmatterValues } from './frontmatterEdit.ts';
import { titleLine } from './writeText.ts';

/** What of a page's file is to be something else; what is not given stays. An empty text and `false` clear. */
export type PageChanges = FrontmatterValues & {
  title?: string;
  /** Markdown of what follows the title. */
  body?: string;
};

const nothing: PageSource = { frontmatter: new Uint8Array(), body: new Uint8Array() };

/**
 * A page's file with other metadata, another title or another body. Every byte that none of them is about stays: unknown keys, comments,
 * quotes, the byte order mark; a file with CRLF keeps it. `scanPage` of the result finds what was asked for.
 *
 * The title is the first heading of the first level, wherever it stands; a page without one gets it on top. With a new body, it goes on top.
 */
export function writePageSource(source: PageSource | undefined, { title, body, ...values }: PageChanges): PageSource {
  const before = source ?? nothing;
  const eol = lineEndOf(before);
  const hadKeys = hasKeys(before.frontmatter);
  let frontmatter = editFrontmatter(before.frontmatter, values, eol);
  let text = binary(before.body);
  if (title !== undefined || body !== undefined) text = withTitle(text, { title, body, eol });
  if (hasKeys(frontmatter) !== hadKeys) {
    // GitBook leaves a line between the keys and the page.
    text = text.replace(/^(?:[ \t]*\r?\n)+/, '');
    if (!hadKeys && text !== '') text = eol + text;
  }
  // Where the last line was `---`, and a page follows now.
  if (hasKeys(frontmatter) && text !== '' && !/[\r\n]$/.test(binary(frontmatter))) frontmatter = bytesOf(binary(frontmatter) + eol);
  // A divider on top would be read as the beginning of keys.
  if (!hasKeys(frontmatter) && /^---[ \t]*(?:[\r\n]|$)/.test(text)) text = eol + text;
  return { frontmatter, body: text === binary(before.body) ? before.body : bytesOf(text) };
}

/** One character for each byte: bytes that are no UTF-8 stay what they are. */
const binary = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const toBinary = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

function lineEndOf({ frontmatter, body }: PageSource): string {
  return /\r?\n/.exec(binary(frontmatter))?.[0] ?? /\r?\n/.exec(binary(body))?.[0] ?? '\n';
}

function hasKeys(frontmatter: Uint8Array): boolean {
  return yamlOfFrontmatter(frontmatter).byteOffset > frontmatter.byteOffset + 3;
}

type Parts = { title: string | undefined; body: string | undefined; eol: string };

function withTitle(text: string, { title, body, eol }: Parts): string {
  const found = titleIn(text);
  const isSame = title === undefined || (found && found.title === oneLine(title));
  const line = toBinary(titleLine(title ?? found?.title ?? ''));
  if (body !== undefined) {
    const heading = isSame && found?.isFirst ? text.slice(found.start, found.end).trimEnd() : line;
    return page(/^(?:[ \t]*\r?\n)*/.exec(text)?.[0] ?? '', heading, { body, eol });
  }
  if (isSame) return text;
  if (!found) {
    const space = /^(?:[ \t]*\r?\n)*/.exec(text)?.[0] ?? '';
    const rest = text.slice(space.length);
    return line === '' ? text : space + line + eol + (rest === '' ? '' : eol + rest);
  }
  // A title that is taken away takes its line along; an anchor behind a title stays.
  const heading = text.slice(found.start, found.end).trimEnd();
  const anchorAt = heading.lastIndexOf('<a');
  const anchor =
    anchorAt >= 0 && /^<a\s[^<>]*><\/a>$/.test(heading.slice(anchorAt)) ? heading.slice(heading.slice(0, anchorAt).trimEnd().length) : '';
  return text.slice(0, found.start) + (line === '' ? '' : line + anchor + eol) + text.slice(found.end);
}

function page(space: string, heading: string, { body, eol }: { body: string; eol: string }): string {
  const rest = toBinary(body)
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .replaceAll(/\r?\n/g, eol);
  const ended = rest === '' || /[\r\n]$/.test(rest) ? rest : rest + eol;
  if (heading === '') return space + ended;
  return space + heading + eol + (ended === '' ? '' : eol + ended);
}

const reader = markdownReader(100);

/** The heading that is the page's title, as `scanPage` finds it; `isFirst` when nothing but space stands before it. */
function titleIn(text: string): { title: string; start: number; end: number; isFirst: boolean } | undefined {
  if (!/^ {0,3}(?:#[ \t]|=+[ \t]*\r?$)/m.test(text)) return undefined;
  const { tokens } = reader.blocks(text);
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open' || token.tag !== 'h1' || token.level !== 0 || !token.map) continue;
    const title = plainText(reader.inline(Buffer.from(tokens[index + 1]?.content ?? '', 'latin1').toString('utf8')));
    if (title === '') continue;
    const [start, end] = [startOfLine(text, token.map[0]), startOfLine(text, token.map[1])];
    return { title, start, end, isFirst: text.slice(0, start).trim() === '' };
  }
  return undefined;
}

function startOfLine(text: string, line: number): number {
  let position = 0;
  for (const {
    index,
    0: { length },
  } of text.matchAll(/\r\n?|\n/g)) {
    if (line === 0) return position;
    line -= 1;
    position = index + length;
  }
  return line === 0 ? position : text.length;
}

function oneLine(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim();
}
