import type { BlockChange, ChangedText } from '@bindery/contract';

/** Maximum length shown of one side of a change. */
const maxShown = 4_000;
/** Maximum length shown of a line before its first difference. */
const maxBefore = 500;

/** A part of a file; `line` is the number of its first line, from 1. */
export type Part = { text: string; line: number };

/**
 * Formats a change for a report. A text that is too long is cut to the differing part with one line of
 * context.
 *
 * @param before  absent for an addition; `after` is absent for a removal. At least one is given.
 */
export function showChange(before: Part | undefined, after: Part | undefined): BlockChange {
  if (!before) return { kind: 'added', after: after && shown(after) };
  if (!after) return { kind: 'removed', before: shown(before) };
  if (before.text.length <= maxShown && after.text.length <= maxShown) {
    return { kind: 'changed', before: shown(before), after: shown(after) };
  }
  const { start, endBefore, endAfter } = differingLines(before.text, after.text);
  const partOf = ({ text, line }: Part, end: number) =>
    shown({ text: text.slice(start, end), line: line + linesIn(text.slice(0, start)) }, text);
  return { kind: 'changed', before: partOf(before, endBefore), after: partOf(after, endAfter) };
}

/** @param whole  the text that contains `text` */
function shown({ text, line }: Part, whole = text): ChangedText {
  // Drops half of a surrogate pair at either end of the cut.
  const cut = text.slice(0, maxShown).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  const isWhole = cut.length === whole.length;
  // A trailing line ending belongs to the last line.
  return {
    text: cut,
    firstLine: line,
    lastLine: line + linesIn(cut.replace(/\r?\n$/, '')),
    cut: isWhole ? undefined : true,
  };
}

/**
 * Finds the range in which two texts differ: whole lines unless they are too long, with one line of context.
 */
function differingLines(a: string, b: string): { start: number; endBefore: number; endAfter: number } {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a.charCodeAt(same) === b.charCodeAt(same)) same += 1;
  let tail = 0;
  while (tail < shorter - same && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail))
    tail += 1;
  const start = Math.max(lineBefore(a, same), same - maxBefore);
  return { start, endBefore: lineAfter(a, a.length - tail), endAfter: lineAfter(b, b.length - tail) };
}

/** The start of the line before the one at this offset. */
function lineBefore(text: string, place: number): number {
  const own = place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1;
  return own < 2 ? 0 : text.lastIndexOf('\n', own - 2) + 1;
}

/** The end of the line after the one at this offset, including its ending. */
function lineAfter(text: string, place: number): number {
  const own = text.indexOf('\n', place);
  const next = own === -1 ? -1 : text.indexOf('\n', own + 1);
  return next === -1 ? text.length : next + 1;
}

/** Counts the line endings of a text. */
export function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
