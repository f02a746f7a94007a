import { trimmedEnd } from '@bindery/contract/trimCharacters';
import { partsOfText, wordsOfParts, type Part } from '../text/parts.ts';
import type { Term } from '../text/glossary.ts';
import { numbersIn } from './numbersIn.ts';

export type FailureCode =
  | 'not_readable'
  | 'placeholders'
  | 'empty_pair'
  | 'numbers'
  | 'terms'
  | 'length'
  | 'links'
  | 'markup';

/** The reason why a translation is refused. */
export type TranslationFailure = { code: FailureCode; message: string };

/**
 * Checks the translation of a segment, and returns all reasons to refuse it. Both are texts as `textOfParts`
 * writes them.
 *
 * @param terms  the glossary terms that occur in the source (`termsIn`)
 */
export function checkTranslation(
  source: string,
  translation: string,
  { terms = [] }: { terms?: readonly Term[] } = {},
): TranslationFailure[] {
  const wanted = partsOfText(source) ?? [];
  const parts = partsOfText(translation);
  if (!parts)
    return [{ code: 'not_readable', message: 'Its placeholders do not nest, or it holds other tags.' }];
  const before = wordsOfParts(wanted);
  const after = wordsOfParts(parts);
  const [tooLong] = lengthFailures(before, after);
  if (tooLong && after.length > before.length) return [tooLong];
  return [
    ...placeholderFailures(wanted, parts),
    ...numberFailures(before, after),
    ...terms.flatMap((term) => termFailures(term, after)),
    ...lengthFailures(before, after),
    ...linkFailures(before, after),
    ...markupFailures(before, after),
  ];
}

function placeholderFailures(wanted: readonly Part[], parts: readonly Part[]): TranslationFailure[] {
  const missing = less(tagsIn(wanted), tagsIn(parts));
  const added = less(tagsIn(parts), tagsIn(wanted));
  const failures: TranslationFailure[] = [];
  if (missing.length > 0) failures.push({ code: 'placeholders', message: `It lacks ${missing.join(', ')}.` });
  if (added.length > 0)
    failures.push({
      code: 'placeholders',
      message: `It has ${added.join(', ')}, which the source does not have, or not twice.`,
    });
  const empty = parts.filter((part, index) => isOpen(part) && !hasWord(parts.slice(index + 1)));
  if (empty.length > 0)
    failures.push({ code: 'empty_pair', message: `There is no word in ${tagsIn(empty).join(', ')}.` });
  return failures;
}

const isOpen = (part: Part) => typeof part !== 'string' && part.tag === 'open';

/** Tells whether a word or an atom stands before the end of the pair that encloses the parts. */
function hasWord(parts: readonly Part[]): boolean {
  let depth = 1;
  for (const part of parts) {
    if (typeof part === 'string') {
      if (/[\p{L}\p{N}]/u.test(part)) return true;
    } else if (part.tag === 'atom') return true;
    else if ((depth += part.tag === 'open' ? 1 : -1) === 0) return false;
  }
  return false;
}

function tagsIn(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || part.tag === 'close') return [];
    return [part.tag === 'open' ? `<g id="${part.id}">` : `<x id="${part.id}"/>`];
  });
}

/** Returns the elements of a list without those of another, each as often as it is missing there. */
function less<T>(list: readonly T[], other: readonly T[]): T[] {
  const left = new Map<T, number>();
  for (const each of other) left.set(each, (left.get(each) ?? 0) + 1);
  return list.filter((each) => {
    const count = left.get(each) ?? 0;
    if (count > 0) left.set(each, count - 1);
    return count === 0;
  });
}

function numberFailures(before: string, after: string): TranslationFailure[] {
  if (!/\p{Nd}/u.test(before) && !/\p{Nd}/u.test(after)) return [];
  // Whether a space separates thousands or two numbers, only the other text can tell.
  const forms = [true, false].map((hasSpaces) => numbersIn(before, hasSpaces));
  const found = [true, false].map((hasSpaces) => numbersIn(after, hasSpaces));
  if (forms.some((form) => found.some((other) => form.join(' ') === other.join(' ')))) return [];
  const [wanted = []] = forms;
  const [numbers = []] = found;
  const differences = [...less(wanted, numbers), ...less(numbers, wanted)];
  return [{ code: 'numbers', message: `Its numbers are others: ${[...new Set(differences)].join(', ')}.` }];
}

function termFailures({ source, target }: Term, after: string): TranslationFailure[] {
  if (after.toLowerCase().includes(target.toLowerCase())) return [];
  return [{ code: 'terms', message: `It lacks “${target}”, the term of the glossary for “${source}”.` }];
}

/** Short texts may grow by much: “OK” is “Aceptar”. */
function lengthFailures(before: string, after: string): TranslationFailure[] {
  const most = 3 * before.length + 40;
  if (after.length > most)
    return [{ code: 'length', message: `It has ${after.length} characters, at most ${most} are plausible.` }];
  return /\p{L}/u.test(after) || !/\p{L}/u.test(before)
    ? []
    : [{ code: 'length', message: 'It has no words.' }];
}

const address =
  /\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"')\]]+|(?<![\w.+-])[\w.+-]+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gi;

function linkFailures(before: string, after: string): TranslationFailure[] {
  // Most texts have none, and the pattern is slow to find that out.
  if (!/:\/\/|www\.|@/i.test(after)) return [];
  const known = new Set(Array.from(before.matchAll(address), ([found]) => hostOf(found)));
  const added = Array.from(after.matchAll(address), ([found]) => hostOf(found)).filter(
    (host) => !known.has(host),
  );
  return added.length === 0
    ? []
    : [{ code: 'links', message: `It leads to ${[...new Set(added)].join(', ')}, the source does not.` }];
}

function hostOf(found: string): string {
  const [, host = found] = /^(?:[a-z][\w+.-]*:\/\/|.*@)?([^/?#:]+)/i.exec(found) ?? [];
  return trimmedEnd(host, '.,;!?。、').toLowerCase();
}

/**
 * Matches markup that a translation must not add: a page would show it as text.
 *
 * A function, since V8 compiles the class of emoji for 20 ms, which no process should wait for at its start.
 */
const markup = (): readonly [name: string, pattern: RegExp][] => [
  ['a tag of HTML', /<\/?[a-z][^<>]*>|<!--|<[!?]/gi],
  ['a block tag', /\{%|%\}/g],
  ['a template', /\{\{|\}\}/g],
  ['a link', /\]\(|\]\[|\[[^[\]\n]{1,100}\]:/g],
  ['code', /`/g],
  ['an emoji', /:[a-z0-9_+\-]{2,50}:|\p{RGI_Emoji}/gv],
];

/** Every emoji has one of these, and so has its name. The pattern of all emoji is slow to find none. */
const partOfEmoji = /[:\p{Emoji_Presentation}\p{Extended_Pictographic}\u20e3]/u;

function markupFailures(before: string, after: string): TranslationFailure[] {
  const mayHaveEmoji = partOfEmoji.test(after);
  return markup()
    .filter(([name, pattern]) => {
      if (name === 'an emoji' && !mayHaveEmoji) return false;
      const count = countOf(after, pattern);
      return count > 0 && count > countOf(before, pattern);
    })
    .map(([name]) => ({ code: 'markup', message: `It contains ${name}, the source does not.` }));
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
