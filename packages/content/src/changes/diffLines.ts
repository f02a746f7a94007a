import type { BlockChange } from '@bindery/contract';
import { diffSequences } from '../merge/diffSequences.ts';
import { diffWhole, isTooLong } from './diffWhole.ts';
import { showChange } from './showChange.ts';

/**
 * Lists the changes between two texts that are not pages, such as SUMMARY.md, by lines; adjacent changes are
 * joined.
 */
export function diffLines(before: string | undefined, after: string | undefined): BlockChange[] {
  const [old, now] = [before ?? '', after ?? ''];
  if (old === now) return [];
  if (isTooLong(old) || isTooLong(now)) return diffWhole(old, now);
  const [linesBefore, linesAfter] = [linesOf(old), linesOf(now)];
  const part = (lines: readonly string[], from: number, count: number) =>
    count === 0 ? undefined : { text: lines.slice(from, from + count).join(''), line: from + 1 };
  return diffSequences(linesBefore, linesAfter).map((difference) =>
    showChange(
      part(linesBefore, difference.before, difference.removed),
      part(linesAfter, difference.after, difference.added),
    ),
  );
}

/** Splits a text into lines with their endings. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]+\n?|\n/g) ?? [];
}
