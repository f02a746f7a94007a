import type { BlockChange, ChangedText } from '@bindery/contract';

/** More of one side of a change is not shown. */
const maxShown = 4_000;
/** Nor more of a line in front of where it differs. */
const maxBefore = 500;

/** A part of a file: `line` is the one where it begins, from 1. */
export type Part = { text: string; line: number };

/**
 * A change as a report shows it. Of what is longer than may be shown, the part that differs is, with a line around it.
 *
 * @param before  absent for what is new; `after` for what goes. At least one is there.
 */
export function showChange(before: Part | undefined, after: Part | undefined): BlockChange {
  if (!before) return { kind: 'added', ...(after && { after: shown(after) }) };
  if (!after) return { kind: 'removed', before: shown(before) };
  if (before.text.length <= maxShown && after.text.length <= maxShown) {
    return { kind: 'changed', before: shown(before), after: shown(after) };
  }
  const { start, endBefore, endAfter } = differingLines(before.text, after.text);
  const partOf = ({ text, line }: Part, end: number) =>
    shown({ text: text.slice(start, end), line: line + linesIn(text.slice(0, start)) }, text);
  return { kind: 'changed', before: partOf(before, endBefore), after: partOf(after, endAfter) };
}

/** @param whole  what `text` is a part of */
function shown({ text, line }: Part, whole = text): ChangedText {
  // Half a character is none.
  const cut = text.slice(0, maxShown).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  const isWhole = cut.length === whole.length;
  // The line ending is part of the line that it ends.
  return { text: cut, firstLine: line, lastLine: line + linesIn(cut.replace(/\r?\n$/, '')), ...(!isWhole && { cut: true }) };
}

/** From which place and to which ones two texts differ: whole lines where they are not too long, and one line around them. */
function differingLines(a: string, b: string): { start: number; endBefore: number; endAfter: number } {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a.charCodeAt(same) === b.charCodeAt(same)) same += 1;
  let tail = 0;
  while (tail < shorter - same && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail += 1;
  const start = Math.max(lineBefore(a, same), same - maxBefore);
  return { start, endBefore: lineAfter(a, a.length - tail), endAfter: lineAfter(b, b.length - tail) };
}

/** Where the line before that of a place begins. */
function lineBefore(text: string, place: number): number {
  const own = place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1;
  return own < 2 ? 0 : text.lastIndexOf('\n', own - 2) + 1;
}

/** Where the line after that of a place ends, with its ending. */
function lineAfter(text: string, place: number): number {
  const own = text.indexOf('\n', place);
  const next = own === -1 ? -1 : text.indexOf('\n', own + 1);
  return next === -1 ? text.length : next + 1;
}

/** How many lines end in a text. */
export function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
