import { isKnownElement } from '@bindery/dialect/source';
import { splitBlocks, type Block } from '../merge/splitBlocks.ts';

/**
 * A longer page may reach the limits of the parser or of a tree, for which its blocks are shortened: it stays
 * whole.
 */
const max = { characters: 100_000, lines: 5_000 };

/**
 * Leaves out the blocks of a page that have neither links nor headings nor tags, which is most of its text:
 * parsing it takes nearly all of the time for reading its links. The rest has the same references, with the
 * same block keys and conditions, and the same anchors.
 *
 * A block is left out only where it certainly is one: between blank lines, outside of every element and tag.
 * The first doubt ends it for the rest of the page. Takes linear time.
 */
export function withoutPlainBlocks(markdown: string): string {
  if (markdown.length > max.characters || count(markdown, /[\r\n]/g) > max.lines) return markdown;
  // The parser normalizes these as well.
  const blocks = splitBlocks(markdown.includes('\r') ? markdown.replaceAll(/\r\n?/g, '\n') : markdown);
  const closesLater = closedTags(markdown);
  let text = '';
  let isSure = true;
  let isLeftOut = false;
  for (const [at, block] of blocks.entries()) {
    isSure &&= endsInside(block.text, closesLater);
    if (isSure && isPlain(block, { before: blocks[at - 1], after: blocks[at + 1] })) {
      // A paragraph in its place keeps the blocks around it apart, such as two lists.
      if (!isLeftOut) text += 'x\n\n';
      isLeftOut = true;
    } else {
      text += block.text + block.gap;
      isLeftOut = false;
    }
  }
  return text;
}

type Neighbours = { before: Block | undefined; after: Block | undefined };

function isPlain({ text, gap }: Block, { before, after }: Neighbours): boolean {
  if (text === '' || /^\s/.test(text)) return false;
  // Behind a list, an indented block belongs to it.
  if (after && (!isBlankLine(gap) || /^[ \t]/.test(after.text))) return false;
  if (before && before.text !== '' && !isBlankLine(before.gap)) return false;
  return isFence(text) || !(mayRefer.test(text) || mayBeHeading.test(text));
}

function isBlankLine(gap: string): boolean {
  return gap.indexOf('\n') !== gap.lastIndexOf('\n');
}

/** All that references, tags, elements, formulas and footnotes are written with. */
const mayRefer = /[[<@\0]|\{%|\$\$|:\/\/|www\./i;
/** A heading at the beginning of a line, in quotes and lists too; or the underline of one. */
const mayBeHeading = /^[ \t>*+\-=\d.)]*(?:#|$)/m;

/** A block of code that begins and ends at the left margin. */
function isFence(text: string): boolean {
  const marker = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  const firstEnd = text.indexOf('\n');
  if (marker === undefined || firstEnd < 0) return false;
  if (marker.startsWith('`') && text.slice(marker.length, firstEnd).includes('`')) return false;
  return text.slice(text.lastIndexOf('\n') + 1).trimEnd() === marker;
}

/**
 * Tells whether everything that begins in a block ends in it: code, formulas, comments, elements and tags.
 *
 * @param closesLater  the names of the tags that are closed anywhere in the page; the others may stand alone
 */
function endsInside(text: string, closesLater: ReadonlySet<string>): boolean {
  if (/^ {0,3}(?:`{3,}|~{3,})/.test(text)) return isFence(text) || isIndentedFence(text);
  if (count(text, /\$\$/g) % 2 !== 0) return false;
  if (text.includes('{%') && !areTagsPaired(text, closesLater)) return false;
  return !text.includes('<') || areElementsPaired(text);
}

/** A block of code in an item of a list, or indented by less than would make it text. */
function isIndentedFence(text: string): boolean {
  const end = text.indexOf('\n');
  const [opening = '', marker] = /^ {1,3}(`{3,}|~{3,})/.exec(text) ?? [];
  if (marker === undefined || end === -1 || text.slice(opening.length, end).includes('`')) return false;
  const last = /^ {0,3}(`{3,}|~{3,}) *$/.exec(text.slice(text.lastIndexOf('\n') + 1))?.[1];
  return last === marker;
}

function closedTags(markdown: string): Set<string> {
  return new Set(
    Array.from(markdown.matchAll(/\{%-?[ \t]*end([\w-]+)/g), ([, name = '']) => name.toLowerCase()),
  );
}

function areTagsPaired(text: string, closesLater: ReadonlySet<string>): boolean {
  const open = new Map<string, number>();
  for (const [, written = ''] of text.matchAll(/\{%-?[ \t]*([\w-]*)/g)) {
    const name = written.toLowerCase();
    const closed = name.startsWith('end') ? name.slice(3) : undefined;
    if (closed !== undefined) open.set(closed, (open.get(closed) ?? 0) - 1);
    else if (closesLater.has(name)) open.set(name, (open.get(name) ?? 0) + 1);
    else if (!standsAlone.has(name)) return false;
  }
  return open.values().every((number) => number === 0);
}

/** Tags that need no closing tag. */
const standsAlone: ReadonlySet<string> = new Set(['embed', 'file', 'include', 'content-ref']);

function areElementsPaired(text: string): boolean {
  // Declarations and the like, which may go on behind a blank line.
  if (/<[?!](?!--)/.test(text) || count(text, /<!--/g) !== count(text, /-->/g)) return false;
  const open = new Map<string, number>();
  for (const [, slash, written = ''] of text.matchAll(/<(\/?)([a-z][\w-]*)(?=[\s/>])/gi)) {
    const name = written.toLowerCase();
    if (rawElements.has(name)) return false;
    if (isKnownElement(name) && !voidElements.has(name))
      open.set(name, (open.get(name) ?? 0) + (slash ? -1 : 1));
  }
  return open.values().every((number) => number === 0);
}

const voidElements: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'wbr']);
/** Elements whose content is no markup: blank lines do not end them. */
const rawElements: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'xmp']);

function count(text: string, pattern: RegExp): number {
  return Array.from(text.matchAll(pattern)).length;
}
