import { trimmedEnd } from '@bindery/contract/trimCharacters';
import { isSameTitle, leadingHeading, textOfHeading } from '../syntax/splitTitle.ts';
import { yamlOfFrontmatter, type PageSource } from '../frontmatter/splitFrontmatter.ts';
import { editFrontmatter, type FrontmatterValues } from './frontmatterEdit.ts';
import { titleLine } from '../syntax/writeMarkdown.ts';

/** The changes of a page's file; absent fields stay. An empty text and `false` clear a field. */
export type PageChanges = FrontmatterValues & {
  title?: string;
  /**
   * Earlier titles of the page: a leading heading equal to one of them is the title line. If absent, any
   * leading heading is.
   */
  titlesBefore?: readonly string[];
  /** Markdown after the title. */
  body?: string;
};

const nothing: PageSource = { frontmatter: new Uint8Array(), body: new Uint8Array() };

/**
 * Changes the metadata, the title or the body of a page's file, and keeps every other byte: unknown keys,
 * comments, quotes, the byte order mark; a file with CRLF keeps it. `scanPage` reads the given values from
 * the result.
 *
 * The title line is the level 1 heading at the start of the page, if it equals the title. Any other leading
 * heading stays; a page without one gets a title line. With a new body, the title line is put above it.
 */
export function writePageSource(
  source: PageSource | undefined,
  { title, titlesBefore, body, ...values }: PageChanges,
): PageSource {
  const before = source ?? nothing;
  const eol = lineEndOf(before);
  const hadKeys = hasKeys(before.frontmatter);
  let frontmatter = editFrontmatter(before.frontmatter, values, eol);
  let text = binary(before.body);
  if (title !== undefined || body !== undefined) text = withTitle(text, { title, titlesBefore, body, eol });
  if (hasKeys(frontmatter) !== hadKeys) {
    // GitBook puts an empty line between the frontmatter and the page.
    text = text.replace(/^(?:[ \t]*\r?\n)+/, '');
    if (!hadKeys && text !== '') text = eol + text;
  }
  // The last line was `---`, and is now followed by the page.
  if (hasKeys(frontmatter) && text !== '' && !/[\r\n]$/.test(binary(frontmatter)))
    frontmatter = bytesOf(binary(frontmatter) + eol);
  // A leading divider would be read as frontmatter.
  if (!hasKeys(frontmatter) && /^---[ \t]*(?:[\r\n]|$)/.test(text)) text = eol + text;
  return { frontmatter, body: text === binary(before.body) ? before.body : bytesOf(text) };
}

/** Decodes each byte as one character, so that bytes that are not UTF-8 are preserved. */
const binary = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const toBinary = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

function lineEndOf({ frontmatter, body }: PageSource): string {
  return /\r?\n/.exec(binary(frontmatter))?.[0] ?? /\r?\n/.exec(binary(body))?.[0] ?? '\n';
}

function hasKeys(frontmatter: Uint8Array): boolean {
  return yamlOfFrontmatter(frontmatter).byteOffset > frontmatter.byteOffset + 3;
}

type Parts = Pick<PageChanges, 'title' | 'titlesBefore' | 'body'> & { eol: string };

function withTitle(text: string, { title, titlesBefore, body, eol }: Parts): string {
  const first = titleIn(text);
  const isTitle =
    first &&
    [...(titlesBefore ?? [first.title]), title ?? first.title].some((one) => isSameTitle(one, first.title));
  const found = isTitle ? first : undefined;
  const isKept =
    found &&
    (title === undefined || oneLine(title) === found.title || (titlesBefore?.includes(title) ?? false));
  const line = toBinary(titleLine(title ?? found?.title ?? ''));
  const [space = ''] = /^(?:[ \t]*\r?\n)*/.exec(text) ?? [];
  if (body !== undefined)
    return page(space, isKept ? withoutSpaceBehind(text.slice(found.start, found.end)) : line, { body, eol });
  // Another leading heading replaces the title line, because two would contradict each other.
  if (isKept || (first && !found)) return text;
  if (!found) {
    const rest = text.slice(space.length);
    return line === '' ? text : space + line + eol + (rest === '' ? '' : eol + rest);
  }
  // A removed title takes its line along; an anchor after a title stays.
  const heading = withoutSpaceBehind(text.slice(found.start, found.end));
  const anchorAt = heading.lastIndexOf('<a');
  const anchor =
    anchorAt >= 0 && /^<a\s[^<>]*><\/a>$/.test(heading.slice(anchorAt))
      ? heading.slice(withoutSpaceBehind(heading.slice(0, anchorAt)).length)
      : '';
  return text.slice(0, found.start) + (line === '' ? '' : line + anchor + eol) + text.slice(found.end);
}

/** ASCII only, because the last byte of a letter may look like white space. */
function withoutSpaceBehind(text: string): string {
  return trimmedEnd(text, ' \t\r\n');
}

function page(space: string, heading: string, { body, eol }: { body: string; eol: string }): string {
  const rest = toBinary(body)
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .replaceAll(/\r?\n/g, eol);
  const ended = rest === '' || /[\r\n]$/.test(rest) ? rest : rest + eol;
  if (heading === '') return space + ended;
  return space + heading + eol + (ended === '' ? '' : eol + ended);
}

/** Finds the leading heading of the text. */
function titleIn(text: string): { title: string; start: number; end: number } | undefined {
  const found = leadingHeading(text);
  const title = found && textOfHeading(Buffer.from(found.content, 'latin1').toString('utf8'));
  return title ? { title, start: found.start, end: found.end } : undefined;
}

function oneLine(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim();
}
