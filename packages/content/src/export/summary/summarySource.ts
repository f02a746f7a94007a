import type { Token } from 'markdown-it';
import { markdownReader, maxInlineLength, plainText } from '@bindery/dialect/syntax';
import {
  plannedPages,
  type PlannedPage,
  planFromSummary,
  type RepositoryIndex,
  readSummary,
  type SummaryEntry,
  type SummaryPart,
  contentLimits,
  collectWarnings,
} from '@bindery/dialect/repository-format';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { isBlank, linesOf, type Line } from './summaryLines.ts';

/** A heading, the rule that ends a group, or an entry, with its own lines; nested entries own theirs. */
export type SourceBlock = {
  index: number;
  /** The lines between the previous block and this one. */
  lead: readonly Line[];
  lines: readonly Line[];
  /** The heading or rule above the block. */
  section: SourceBlock | undefined;
} & (
  | {
      kind: 'group';
      title: string;
      content: string;
      /** Whether a rule without meaning precedes it. */
      hasOrnament: boolean;
    }
  | { kind: 'rest' }
  | {
      kind: 'entry';
      entry: SummaryEntry;
      page: PlannedPage;
      /** The indentation before the bullet, and the bullet with the space after it. */
      prefix: string;
      marker: string;
      /**
       * The inline text, and the number of lines from the first one that it takes; 0 if it begins on a later
       * line.
       */
      content: string;
      contentLines: number;
      /** The entry whose item contains this one. */
      above: EntryBlock | undefined;
      depth: number;
    }
);
export type EntryBlock = Extract<SourceBlock, { kind: 'entry' }>;

/** A parsed SUMMARY.md. Every line belongs to one part; joined together they are the file. */
export type Source = {
  frontmatter: Uint8Array;
  preamble: readonly Line[];
  blocks: readonly SourceBlock[];
  epilogue: readonly Line[];
};

type Reading = { root: string; summary: string; repository: RepositoryIndex };

const blockReader = markdownReader(800);

/** Reads a file like the importer; undefined for a file that the importer refuses. */
export function partsOf(file: Uint8Array, path: string): SummaryPart[] | undefined {
  if (file.length > contentLimits.summaryBytes) return undefined;
  try {
    return readSummary(file, {
      maxDepth: contentLimits.pageDepth,
      maxEntries: contentLimits.pages,
      warnings: collectWarnings(0),
      path,
    });
  } catch {
    // More entries than a space may have.
    return undefined;
  }
}

/** Returns the importer's plan of the file, among the files of a repository. */
export function planOf(parts: readonly SummaryPart[], reading: Reading): PlannedPage[] {
  return planFromSummary(parts, { ...reading, warnings: collectWarnings(0) });
}

/** Splits a file with these parts into blocks. */
export function sourceOf(
  file: Uint8Array,
  { parts, ...reading }: Reading & { parts: readonly SummaryPart[] },
): Source {
  const { frontmatter, body } = splitFrontmatter(file);
  const linesBefore = new TextDecoder().decode(frontmatter).split('\n').length - 1;
  const planned = [...plannedPages(planOf(parts, reading))].filter(({ kind }) => kind !== 'group');
  // Every entry becomes one page, in the same order.
  const entriesByLine = new Map<number, { entry: SummaryEntry; page: PlannedPage }>();
  for (const [index, entry] of [...allEntries(parts.flatMap(({ entries }) => entries))].entries()) {
    const line = entry.line - 1 - linesBefore;
    if (!entriesByLine.has(line)) entriesByLine.set(line, { entry, page: planned[index] as PlannedPage });
  }
  return assemble(frontmatter, linesOf(body), foundIn(body, entriesByLine));
}

type Found = { start: number; end: number } & (
  | { kind: 'group'; title: string; content: string }
  | { kind: 'rest' }
  | {
      kind: 'entry';
      entry: SummaryEntry;
      page: PlannedPage;
      content: string;
      contentEnd: number;
      above: Found | undefined;
      depth: number;
    }
);

/** Finds the positions of headings, rules and entries, by the rules of `readSummary`. */
function foundIn(
  body: Uint8Array,
  entries: ReadonlyMap<number, { entry: SummaryEntry; page: PlannedPage }>,
): Found[] {
  const { tokens, env } = blockReader.blocks(new TextDecoder().decode(body));
  const found: Found[] = [];
  const open: (Found | undefined)[] = [];
  const unread = new Set<Found>();
  let isGrouped = false;
  let isFirstHeading = true;

  for (const [index, token] of tokens.entries()) {
    const [start, end] = token.map ?? [0, 0];
    if (token.type === 'list_item_open') open.push(openItem(start, end));
    else if (token.type === 'list_item_close') open.pop();
    else if (token.type === 'inline' && open.length > 0) readContent(token);
    else if (token.type === 'hr' && token.level === 0 && isGrouped) {
      found.push({ kind: 'rest', start, end });
      isGrouped = false;
    } else if (token.type === 'heading_open' && token.level === 0) {
      const isTitle = isFirstHeading && token.tag === 'h1';
      isFirstHeading = false;
      if (isTitle) continue;
      const content = tokens[index + 1]?.content ?? '';
      const title = titleOf(content, env);
      if (title) found.push({ kind: 'group', start, end, title, content });
      else if (isGrouped) found.push({ kind: 'rest', start, end });
      isGrouped = title !== '';
    }
  }
  return found;

  function openItem(start: number, end: number): Found | undefined {
    const last = found.at(-1);
    if (last?.kind === 'entry' && last.start === start) return last;
    const read = entries.get(start);
    const above = open.findLast((item) => item !== undefined);
    // An empty item is not an entry.
    if (!read) return undefined;
    const depth = above?.kind === 'entry' ? above.depth + 1 : 0;
    const item: Found = { kind: 'entry', start, end, ...read, content: '', contentEnd: start, above, depth };
    found.push(item);
    unread.add(item);
    return item;
  }

  function readContent({ content, map }: Token): void {
    const item = open.at(-1);
    if (item?.kind !== 'entry' || !unread.delete(item)) return;
    item.content = content;
    if (map?.[0] === item.start) item.contentEnd = map[1];
  }
}

function titleOf(content: string, env: Parameters<typeof blockReader.inline>[1]): string {
  return content.length > maxInlineLength ? '' : plainText(blockReader.inline(content, env));
}

function assemble(frontmatter: Uint8Array, lines: readonly Line[], found: readonly Found[]): Source {
  const blocks: SourceBlock[] = [];
  const blockOf = new Map<Found, SourceBlock>();
  const starts = found.map(({ start }) => start);
  const preamble = lines.slice(0, starts[0] ?? lines.length);
  let previousEnd = preamble.length;
  /** The start of a rule without entries below it, before a heading: it belongs to the next block. */
  let held: number | undefined;
  let section: SourceBlock | undefined;

  for (const [index, place] of found.entries()) {
    const next = found[index + 1];
    const from = held ?? previousEnd;
    let end = Math.min(place.end, next?.start ?? lines.length);
    while (end > place.start + 1 && isBlank(lines[end - 1] as Line)) end -= 1;
    previousEnd = end;
    if (place.kind === 'rest' && next?.kind !== 'entry') {
      held = from;
      continue;
    }
    const hasOrnament = held !== undefined;
    held = undefined;
    const base = {
      index: blocks.length,
      lead: lines.slice(from, place.start),
      lines: lines.slice(place.start, end),
    };
    let block: SourceBlock;
    if (place.kind === 'group')
      block = {
        ...base,
        section: undefined,
        kind: 'group',
        title: place.title,
        content: place.content,
        hasOrnament,
      };
    else if (place.kind === 'rest') block = { ...base, section: undefined, kind: 'rest' };
    else {
      const above = place.above && blockOf.get(place.above);
      block = {
        ...base,
        section,
        kind: 'entry',
        entry: place.entry,
        page: place.page,
        ...bulletOf(base.lines[0]?.text ?? ''),
        content: place.content,
        contentLines: place.contentEnd - place.start,
        above: above?.kind === 'entry' ? above : undefined,
        depth: place.depth,
      };
    }
    if (block.kind !== 'entry') section = block;
    blockOf.set(place, block);
    blocks.push(block);
  }
  return { frontmatter, preamble, blocks, epilogue: lines.slice(held ?? previousEnd) };
}

/** Splits the start of an item's first line; the bullets of several items on one line count as one. */
function bulletOf(line: string): { prefix: string; marker: string } {
  const [, prefix = '', marker = ''] = /^([ \t>]*)((?:(?:[*+-]|\d{1,9}[.)])(?:[ \t]+|$))*)/.exec(line) ?? [];
  return { prefix, marker };
}

function* allEntries(entries: readonly SummaryEntry[]): Iterable<SummaryEntry> {
  for (const entry of entries) {
    yield entry;
    yield* allEntries(entry.children);
  }
}
