import { folded, isAscii, normalized } from './textForms.ts';

/**
 * A word of a text. `share` is its weight as an occurrence: a part of a word counts for less than the word.
 */
export type Word = { text: string; share: number };

/** Longer runs are not words; they are found by their beginning. */
const maxLength = 64;

/**
 * Yields the words of a text, in lower case and in every form that queries use.
 *
 * - A word with accents is followed by the word without them, and an Arabic word by the word without its
 *   article.
 * - An identifier is followed by its parts: `getUserById`, get, user, by, id.
 * - Chinese, Japanese and Korean are split into pairs of neighbouring characters, so that a word is found
 *   wherever it is and however the text is segmented; a pair that is a word, or part of one, counts for more
 *   than a pair across two words.
 * - Other scripts without spaces are split into words by a dictionary.
 */
export function* wordsOf(text: string): Iterable<Word> {
  for (const run of runsOf(text)) {
    if (run.kind === 'cjk') yield* pairsOf(run.text);
    else yield* formsOf(run.text);
  }
}

/** Extracts the words of a query, each in one form; a `prefix` may be the beginning of a longer word. */
export function queryWords(text: string): { text: string; isPrefix: boolean }[] {
  const found = new Map<string, boolean>();
  for (const { kind, text: run } of runsOf(text)) {
    const characters = [...run];
    if (kind === 'cjk' && characters.length > 1)
      for (const [a, b] of neighbours(characters)) found.set(a + b, false);
    // A single character can only be the beginning of a pair.
    else found.set(cut(normalized(run)), kind === 'cjk');
  }
  const last = lastRun(text);
  return [...found].map(([word, isPrefix]) => ({ text: word, isPrefix: isPrefix || word === last }));
}

/** Splits an identifier into its parts in lower case; another word stays whole. */
export function partsOf(word: string): string[] {
  if (!humps.test(word)) return [normalized(word)];
  return word
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(' ')
    .map(normalized);
}

/** Expects a folded word. */
export function withoutArticle(word: string): string {
  return isAscii(word) ? word : word.replace(/^(?:[وفبك]?ال|لل)(?=\p{L}{3})/u, '');
}

type Run = { kind: 'word' | 'cjk'; text: string };

/**
 * Yields the runs of letters and digits in a text, split where scripts without spaces begin and end; not yet
 * in lower case.
 */
export function* runsOf(text: string): Iterable<Run> {
  if (isAscii(text)) {
    for (const [run] of text.matchAll(/[A-Za-z0-9]+/g)) yield { kind: 'word', text: run };
    return;
  }
  for (const [run] of text.normalize('NFKC').matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}\u200c\u200d]*/gu)) {
    if (isAscii(run)) yield { kind: 'word', text: run };
    else
      for (const [part] of run.matchAll(cjkOrNot))
        yield* cjk.test(part) ? [{ kind: 'cjk' as const, text: part }] : cutByDictionary(part);
  }
}

const cjkClass = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}`;
const cjk = new RegExp(`^[${cjkClass}]`, 'u');
const cjkOrNot = new RegExp(`[${cjkClass}]+|[^${cjkClass}]+`, 'gu');
const unspaced = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const humps = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
let segmenter: Intl.Segmenter | undefined;
/** Its dictionary takes 10 ms to load, which most processes never need. */
const segments = (text: string) =>
  (segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })).segment(text);

function* cutByDictionary(run: string): Iterable<Run> {
  const text = run.replaceAll(/[\u200c\u200d]/g, '');
  if (!unspaced.test(text)) yield { kind: 'word', text };
  else
    for (const { segment, isWordLike } of segments(text))
      if (isWordLike) yield { kind: 'word', text: segment };
}

function* formsOf(run: string): Iterable<Word> {
  const word = cut(normalized(run));
  yield { text: word, share: 1 };
  const plain = folded(word);
  if (plain !== word) yield { text: cut(plain), share: 1 };
  const bare = withoutArticle(plain);
  if (bare !== plain) yield { text: cut(bare), share: 1 };
  if (run.length > 2 && humps.test(run))
    for (const part of partsOf(run)) if (part !== word) yield { text: cut(part), share: 0.5 };
}

function* pairsOf(run: string): Iterable<Word> {
  for (const { segment } of segments(normalized(run))) {
    const characters = [...segment];
    for (const [a, b] of neighbours(characters))
      yield { text: a + b, share: characters.length === 2 ? 1 : 0.6 };
  }
  const characters = [...normalized(run)];
  // Pairs across two words occur only here; pairs within a word occur a second time, and their shares add up.
  for (const [a, b] of neighbours(characters)) yield { text: a + b, share: 0.2 };
  yield { text: characters.at(-1) as string, share: 0.6 };
}

function* neighbours(characters: readonly string[]): Iterable<[string, string]> {
  for (let i = 1; i < characters.length; i += 1) yield [characters[i - 1] as string, characters[i] as string];
}

function lastRun(text: string): string | undefined {
  let last: Run | undefined;
  for (const run of runsOf(text)) last = run;
  return last && cut(normalized(last.text));
}

/** Does not split a character. */
function cut(word: string): string {
  if (word.length <= maxLength) return word;
  const start = word.slice(0, maxLength);
  return start.isWellFormed() ? start : start.slice(0, -1);
}
