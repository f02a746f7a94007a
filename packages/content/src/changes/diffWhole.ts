import type { BlockChange } from '@bindery/contract';
import { linesIn, showChange } from './showChange.ts';

/** Texts beyond these are compared as one: real pages have a tenth. */
const maxCharacters = 300_000;
const maxLines = 10_000;

export function isTooLong(text: string): boolean {
  return text.length > maxCharacters || linesIn(text) > maxLines;
}

/** Two texts that differ as one change, which shows where. */
export function diffWhole(before: string, after: string): BlockChange[] {
  const part = (text: string) => (text === '' ? undefined : { text, line: 1 });
  return [showChange(part(before), part(after))];
}
