import type { Budget } from './budget.ts';
import { diffSequence } from './diffSequence.ts';
import type { Run } from './documentDiff.ts';

/** Longer texts are replaced as a whole. */
const maxCharacters = 100_000;

/** Words; characters of scripts without spaces; white space; and any other character. */
const word =
  /[[\p{L}\p{M}\p{N}_]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]]+|\s+|[^]/gv;

/**
 * Compares two texts by words. The runs that are not added make up `before`; those that are not removed make
 * up `after`.
 */
export function diffWords(before: string, after: string, budget: Budget): Run[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
  const isTooLong = before.length > maxCharacters || after.length > maxCharacters;
  if (isTooLong || budget.left <= 0) return replaced(before, after);
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const runs: Run[] = [];
  let [oldAt, nowAt] = [0, 0];
  for (const { kind, count } of diffSequence(old, now, budget)) {
    const text = kind === 'added' ? now.slice(nowAt, nowAt + count) : old.slice(oldAt, oldAt + count);
    if (kind !== 'added') oldAt += count;
    if (kind !== 'removed') nowAt += count;
    runs.push({ kind, text: text.join('') });
  }
  return joined(runs);
}

function wordsOf(text: string): string[] {
  return text.match(word) ?? [];
}

function replaced(before: string, after: string): Run[] {
  const runs: Run[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return runs.filter(({ text }) => text !== '');
}

/**
 * Joins replaced words that only white space separates: one replaced phrase is easier to read than single
 * words that are removed and added in turn.
 */
function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    result.push(...replaced(removed, added));
    [removed, added] = ['', ''];
  };
  for (const [index, { kind, text }] of runs.entries()) {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (removed !== '' && added !== '' && text.trim() === '' && index < runs.length - 1) {
      removed += text;
      added += text;
    } else {
      flush();
      result.push({ kind, text });
    }
  }
  flush();
  return result;
}
