import type { Token } from 'markdown-it';
import { JobError } from '@bindery/contract/jobErrors';
import { readComputed } from './computed.ts';
import { markdownReader, maxInlineLength, plainText } from '../syntax/commonMark.ts';
import { splitFrontmatter } from '../frontmatter/splitFrontmatter.ts';
import type { ComputedSource } from './types.ts';
import type { Warnings } from '../contentWarnings.ts';

/** An entry of the navigation. `line` is its line in the file, from 1. */
export type SummaryEntry = { line: number; label: string; children: SummaryEntry[] } & (
  | {
      kind: 'link';
      /** As written, escapes undone. */ target: string;
      /** The link's title in quotes. */ linkTitle?: string;
    }
  | { kind: 'text' }
  | { kind: 'computed'; computed: ComputedSource }
);

/** The entries below one heading; without a group, at the top of the space. */
export type SummaryPart = { group?: { title: string; line: number }; entries: SummaryEntry[] };

// Deeper lists are not read at all: a list and its item take a level each, and every level takes stack space.
const maxListDepth = 400;
const reader = markdownReader(2 * maxListDepth);

/**
 * Reads SUMMARY.md by the rules of CommonMark: headings open groups, `***` ends them, lists nest, an entry is
 * one link. Entries deeper than `maxDepth` move up to it.
 *
 * @throws JobError `limit` for more than `maxEntries`
 */
export function readSummary(
  file: Uint8Array,
  {
    maxDepth,
    maxEntries,
    warnings,
    path,
  }: { maxDepth: number; maxEntries: number; warnings: Warnings; path: string },
): SummaryPart[] {
  const { frontmatter, body } = splitFrontmatter(file);
  const linesBefore = new TextDecoder().decode(frontmatter).split('\n').length - 1;
  const { tokens, env } = reader.blocks(new TextDecoder().decode(body));
  const lineOf = (token: Token) => (token.map?.[0] ?? 0) + 1 + linesBefore;
  const warn: Warn = (code, message, line) => warnings.add(code, `Line ${line}: ${message}`, path);

  let part: SummaryPart = { entries: [] };
  const parts = [part];
  const open: OpenItem[] = [];
  let count = 0;
  let isFirstHeading = true;
  let isTooDeep = false;
  let isMovedUp = false;

  for (const [index, token] of tokens.entries()) {
    const item = open.at(-1);
    if (token.level >= 2 * maxListDepth - 1) isTooDeep = true;
    if (token.type === 'list_item_open' || token.type === 'heading_open') count += 1;
    if (count > maxEntries) throw tooManyEntries(maxEntries);

    if (token.type === 'list_item_open') {
      open.push({ line: lineOf(token), children: [] });
    } else if (token.type === 'list_item_close') {
      const { children, ...closed } = open.pop() as OpenItem;
      const siblings = open.at(-1)?.children ?? part.entries;
      const entry = entryOf({ ...closed, tokens: inlineOf(closed.content, closed.line) }, warn);
      if (entry) siblings.push(entry);
      const isDeepest = open.length + 1 >= maxDepth;
      if (entry && !isDeepest) entry.children = children;
      else for (const child of children) siblings.push(child);
      if (entry && isDeepest && children.length > 0) isMovedUp = true;
    } else if (token.type === 'inline' && item) {
      if (item.content === undefined) item.content = token.content;
      else if (token.content.includes(']('))
        warn('summary_ignored', 'a second paragraph of an entry is not read.', lineOf(token));
    } else if (token.type === 'fence' && item) {
      item.fence ??= token.content;
    } else if (token.type === 'hr' && token.level === 0 && part.group) {
      parts.push((part = { entries: [] }));
    } else if (token.type === 'heading_open' && token.level === 0) {
      // A first heading of level 1 is the title of the table of contents.
      const isTitle = isFirstHeading && token.tag === 'h1';
      isFirstHeading = false;
      if (isTitle) continue;
      const title = plainText(inlineOf(tokens[index + 1]?.content, lineOf(token)));
      parts.push((part = title ? { group: { title, line: lineOf(token) }, entries: [] } : { entries: [] }));
    } else if (
      token.type === 'inline' &&
      tokens[index - 1]?.type === 'paragraph_open' &&
      token.content.includes('](')
    ) {
      warn('summary_ignored', 'a link outside of a list is not a page.', lineOf(token));
    }
  }
  if (isTooDeep)
    warnings.add(
      'summary_depth',
      `Lists deeper than ${maxListDepth} levels are not read, nor is anything after them.`,
      path,
    );
  else if (isMovedUp)
    warnings.add('summary_depth', `Pages below level ${maxDepth} were moved up to it.`, path);
  return parts.filter(({ group, entries }) => group || entries.length > 0);

  function inlineOf(content: string | undefined, line: number): Token[] {
    if (content === undefined) return [];
    if (content.length <= maxInlineLength) return reader.inline(content, env);
    warn('summary_ignored', `text of more than ${maxInlineLength} characters is not read.`, line);
    return [];
  }
}

type OpenItem = { line: number; content?: string; fence?: string; children: SummaryEntry[] };
type Warn = (code: 'summary_ignored' | 'summary_computed', message: string, line: number) => void;

/** Reads an item; undefined for an empty one, which its children replace. */
function entryOf(
  { tokens, fence, line }: { tokens: Token[]; fence?: string; line: number },
  warn: Warn,
): SummaryEntry | undefined {
  const place = { line, children: [] };
  const start = tokens.findIndex(({ type, attrs }) => type === 'link_open' && attributeOf(attrs, 'href'));
  if (start >= 0) {
    const end = tokens.findIndex(({ type }, index) => index > start && type === 'link_close');
    if (tokens.slice(end).some(({ type }) => type === 'link_open'))
      warn('summary_ignored', 'an entry is one link; the others in it are not read.', line);
    const attrs = tokens[start]?.attrs ?? null;
    const linkTitle = attributeOf(attrs, 'title').trim();
    return {
      ...place,
      kind: 'link',
      label: plainText(tokens.slice(start + 1, end)),
      target: attributeOf(attrs, 'href'),
      linkTitle: linkTitle || undefined,
    };
  }
  const label = plainText(tokens);
  if (fence === undefined) return label ? { ...place, kind: 'text', label } : undefined;
  const { computed, title, problem } = readComputed(fence);
  if (problem) warn('summary_computed', problem, line);
  return computed
    ? { ...place, kind: 'computed', label: title, computed }
    : { ...place, kind: 'text', label: label || title };
}

function attributeOf(attrs: Token['attrs'], name: string): string {
  const [, value] = attrs?.find(([key]) => key === name) ?? [];
  return value === undefined ? '' : String(value);
}

function tooManyEntries(maxEntries: number): JobError {
  return new JobError('limit', `The navigation has more than ${maxEntries} entries.`, {
    action: 'Split the content into several spaces.',
  });
}
