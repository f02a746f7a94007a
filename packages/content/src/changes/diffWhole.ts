import type { BlockChange } from '@bindery/contract';
import { linesIn, showChange } from './showChange.ts';

/** Longer texts are compared as a whole: real pages have a tenth of this length. */
const maxCharacters = 300_000;
const maxLines = 10_000;

export function isTooLong(text: string): boolean {
  return text.length > maxCharacters || linesIn(text) > maxLines;
}

/** Describes two different texts as one change, which shows where they differ. */
export function diffWhole(before: string, after: string): BlockChange[] {
  const part = (text: string) => (text === '' ? undefined : { text, line: 1 });
  return [showChange(part(before), part(after))];
}
