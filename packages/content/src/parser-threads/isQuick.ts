import type { DocumentNode, DocumentTree } from '@bindery/contract';

/** A longer text can contain one bracket followed by enough words to take long. */
const maxLength = 2_000;
/** The work for one character that may be markup can grow with the length of the text. */
const maxWork = 200_000;
const workOfLetter = 10;

/**
 * Tells whether parsing any text of this kind takes less than a twentieth of a second, so that the main
 * thread can do it. That includes short comments and pages; the limit is 450 brackets.
 */
export function isQuickToParse(markdown: string): boolean {
  if (markdown.length > maxLength) return false;
  let costly = 0;
  for (let at = 0; at < markdown.length; at += 1) costly += isPlain(markdown.charCodeAt(at)) ? 0 : 1;
  return markdown.length * (workOfLetter + costly) <= maxWork;
}

/** Letters, digits, spaces, and punctuation between words. */
function isPlain(code: number): boolean {
  const [space, apostrophe, comma, point] = [32, 39, 44, 46];
  if (code >= 128 || code === space || code === apostrophe || code === comma || code === point) return true;
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/**
 * Number of Markdown characters whose links are found and changed, in linear time, in less than a twentieth
 * of a second.
 */
export const quickToLink = 20_000;

/**
 * Number of values and characters of a tree that is written as Markdown in less than a twentieth of a second.
 */
const quickTree = { values: 1_000, characters: 10_000 };

/** Tells whether writing a tree as Markdown takes less than a twentieth of a second. */
export function isQuickToWrite({ nodes }: DocumentTree): boolean {
  let values = 0;
  let characters = 0;
  const open: unknown[] = [nodes satisfies DocumentNode[]];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (values > quickTree.values || characters > quickTree.characters) return false;
    if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) open.push(member ?? null);
  }
  return true;
}
