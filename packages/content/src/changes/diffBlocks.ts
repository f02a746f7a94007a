import type { BlockChange } from '@bindery/contract';
import { trimmedEnd } from '@bindery/contract/trimCharacters';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { alignBlocks } from '../merge/alignBlocks.ts';
import { splitBlocks } from '../merge/splitBlocks.ts';
import { linesIn, showChange } from './showChange.ts';
import { diffWhole, isTooLong } from './diffWhole.ts';

/** Limits the comparisons that pair differing blocks; blocks beyond the limit are paired in their order. */
const maxWork = 400_000;

/** A block and its first line in the file. `gap` is the line ending and blank lines after it. */
type Piece = { text: string; gap: string; line: number };

/**
 * Lists the changes that turn the blocks of one page's Markdown into those of another. The frontmatter is one
 * block.
 *
 * Applying the changes to the blocks of `before` gives those of `after`. White space between blocks is listed
 * only where nothing next to it differs; texts that differ always have a change. A text far longer than a
 * page is one change, from the first to the last line that differs. Takes about 100 ms at most for any text.
 *
 * @param before  the whole file; undefined where there is none
 */
export function diffBlocks(before: string | undefined, after: string | undefined): BlockChange[] {
  const [old, now] = [before ?? '', after ?? ''];
  if (old === now) return [];
  if (isTooLong(old) || isTooLong(now)) return diffWhole(old, now);
  return changesOf(piecesOf(old), piecesOf(now));
}

/** Splits a file into blocks. The first is the frontmatter or the leading blank lines, and may be empty. */
function piecesOf(file: string): [Piece, ...Piece[]] {
  const head = frontmatterOf(file);
  const trimmed = trimmedEnd(head, '\r\n');
  const start: Piece = { text: trimmed, gap: head.slice(trimmed.length), line: 1 };
  const pieces: [Piece, ...Piece[]] = [start];
  let line = 1 + linesIn(head);
  for (const { text, gap } of splitBlocks(file.slice(head.length))) {
    if (text === '') start.gap += gap;
    else pieces.push({ text, gap, line });
    line += linesIn(text) + linesIn(gap);
  }
  return pieces;
}

function frontmatterOf(file: string): string {
  if (!/^\uFEFF?---/.test(file)) return '';
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    splitFrontmatter(new TextEncoder().encode(file)).frontmatter,
  );
}

function changesOf(
  [headBefore, ...before]: [Piece, ...Piece[]],
  [headAfter, ...after]: [Piece, ...Piece[]],
): BlockChange[] {
  const changes: BlockChange[] = [];
  const texts = (pieces: readonly Piece[]) => pieces.map(({ text }) => text);
  const { to } = alignBlocks(texts(before), texts(after), maxWork);
  const isKept = (old: number, now: number) => to[old] === now && before[old]?.text === after[now]?.text;
  /** Tells whether the blocks after these two are the same on both sides, or both sides end. */
  const isNextKept = (old: number, now: number) =>
    old === before.length ? now === after.length : isKept(old, now);
  const compare = (old: Piece, now: Piece, isNextSame: boolean) => {
    if (old.text !== now.text) changes.push(...changeOf(old, now));
    else if (old.gap !== now.gap && isNextSame) changes.push(...changeOf(withGap(old), withGap(now)));
  };
  compare(headBefore, headAfter, isNextKept(0, 0));
  let next = 0;
  const addUntil = (end: number) => {
    for (; next < end; next += 1) changes.push(...changeOf(undefined, after[next]));
  };
  for (const [index, piece] of before.entries()) {
    const place = to[index];
    const partner = place === undefined ? undefined : after[place];
    if (place === undefined || !partner) {
      changes.push(...changeOf(piece, undefined));
      continue;
    }
    addUntil(place);
    compare(piece, partner, isNextKept(index + 1, place + 1));
    next = place + 1;
  }
  addUntil(after.length);
  return changes;
}

function changeOf(before: Piece | undefined, after: Piece | undefined): BlockChange[] {
  return [showChange(before?.text ? before : undefined, after?.text ? after : undefined)];
}

function withGap(piece: Piece): Piece {
  return { ...piece, text: piece.text + piece.gap };
}
