import type { Part } from '@bindery/translation';
import { likeSource } from './spaces.ts';

/**
 * The text of a segment in the stream format of Apertium.
 *
 * - `pairs`: formatting is bound to its words (`[[t:x:1]]not[[/]]`), which the engine may reorder; nested
 *   pairs are one binding (`1.3`). In a text with a hyphen all words are bound, the others with the number 0:
 *   the engine moves the words of `well-formed request`, but not their spaces (`peticiónbienformada `)
 * - `blanks`: pairs are blanks that keep their order (`[<o1>]not[<c1>]`), whatever words come between them
 *
 * An atom is a blank. So are `*`, `#` and `@`, with which the engine marks words that it does not know or
 * cannot inflect, `~`, which it drops, and a quotation mark that it would take for an apostrophe:
 * `'My house'` became `soyy casa'`.
 */
export type StreamForm = 'pairs' | 'blanks';

/** Writes a segment for the engine. The inverse is `partsOfStream`. */
export function streamOfParts(parts: readonly Part[], form: StreamForm): string {
  const open: number[] = [];
  const isBound = form === 'pairs' && hasHyphen(parts);
  let stream = '';
  for (const part of parts) {
    if (typeof part === 'string')
      stream += words(part, form === 'pairs' && open.length > 0 ? open.join('.') : isBound && '0');
    else if (part.tag === 'atom') stream += `[<x${part.id}>]`;
    else {
      if (form === 'blanks') stream += `[<${part.tag === 'open' ? 'o' : 'c'}${part.id}>]`;
      if (part.tag === 'open') open.push(part.id);
      else open.pop();
    }
  }
  return stream;
}

const literals: ReadonlySet<string | undefined> = new Set(['*', '#', '~', '@', "'"]);
const literal = /([*#~]|(?<![\p{L}\p{N}])['@](?=[\p{L}\p{N}]))/u;

/** Tells whether a word of the text has a hyphen. */
export function hasHyphen(parts: readonly Part[]): boolean {
  return parts.some((part) => typeof part === 'string' && /\p{L}-\p{L}/u.test(part));
}

function words(text: string, binding: string | false): string {
  return text
    .replaceAll('\0', '')
    .split(literal)
    .map((piece) => {
      if (literals.has(piece)) return `[<${piece}>]`;
      if (binding === false || !/[\p{L}\p{N}]/u.test(piece)) return escaped(piece);
      // Only words can be bound: spaces and signs around them stay outside.
      const start = piece.search(/[\p{L}\p{N}]/u);
      const last = Array.from(piece.matchAll(/[\p{L}\p{N}]/gu)).at(-1);
      const end = last ? last.index + last[0].length : start;
      const [before, bound, after] = [piece.slice(0, start), piece.slice(start, end), piece.slice(end)];
      return `${escaped(before)}[[t:x:${binding}]]${escaped(bound)}[[/]]${escaped(after)}`;
    })
    .join('');
}

const escaped = (text: string) => text.replaceAll(/[\^$[\]{}/\\@<>]/g, '\\$&');

/** Removes the stop that was added to a request; blanks may have moved behind it. */
export function withoutStop(stream: string): string {
  return stream.replace(/\.((?:\s|\[<[^<>[\]]*>\])*)$/, '$1');
}

/** A part of the stream: words with the pairs that they are bound to, or a blank. */
type Token = { words: string; pairs: readonly number[]; isLiteral?: true } | { blank: string };

const tokenPattern =
  /\[\[t:x:([\d.]+(?:; t:x:[\d.]+)*)\]\]((?:[^[\]\\]|\\.)*)\[\[\/\]\]|\[<([^<>[\]]{1,8})>\]|((?:[^[\]\\]|\\.)+)/gsu;

/**
 * The engine's mark at a word. It may stand inside of the word: `2*FA`, of which the engine reads the letters
 * alone, and `hecho# de encargo`. All `*` and `#` are marks, because those of the text are blanks, and `@` at
 * the start of a word.
 */
const wordMark = /(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])|[*#](?=[\p{L}\p{N}])/gu;

export type StreamReading = { parts: Part[]; unknownWords: number };

/**
 * Reads the engine's answer.
 *
 * @param source  the parts that were sent, whose spaces around atoms are restored
 * @returns undefined when the answer is damaged, lacks a placeholder, or the words of a pair lie apart
 */
export function partsOfStream(stream: string, source: readonly Part[]): StreamReading | undefined {
  const tokens = tokensOf(stream);
  if (!tokens) return undefined;
  let unknownWords = 0;
  const known = tokens.map((token): Token => {
    if ('blank' in token || token.isLiteral) return token;
    unknownWords += token.words.match(wordMark)?.length ?? 0;
    return { ...token, words: token.words.replaceAll(wordMark, '').replaceAll(/[*#]/g, '') };
  });
  const nested = nestedParts(parted(known, source), source);
  return nested && { parts: likeSource(nested, source), unknownWords };
}

function tokensOf(stream: string): Token[] | undefined {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of stream.matchAll(tokenPattern)) {
    if (match.index !== end) return undefined;
    end += match[0].length;
    const [, pairs, bound, blank, plain] = match;
    if (blank !== undefined && literals.has(blank)) tokens.push({ words: blank, pairs: [], isLiteral: true });
    else if (blank !== undefined) tokens.push({ blank });
    else tokens.push({ words: unescaped(bound ?? plain ?? ''), pairs: pairsOfBinding(pairs) });
  }
  return end === stream.length ? tokens : undefined;
}

/** A word that the engine made of several (`de` and `el`) has all of their bindings: `1; t:x:1.3`. */
function pairsOfBinding(binding = ''): number[] {
  const [first = [], ...others] = binding.split('; t:x:').map((pairs) => pairs.split('.').map(Number));
  return first.filter((pair) => pair > 0 && others.every((pairs) => pairs.includes(pair)));
}

/** Puts spaces between words that the engine has moved without theirs; `2` and `FA` are one word. */
function parted(tokens: readonly Token[], source: readonly Part[]): readonly Token[] {
  if (!hasHyphen(source)) return tokens;
  const text = source.filter((part) => typeof part === 'string').join('');
  return tokens.flatMap((token, index) => {
    const before = tokens[index - 1];
    if (!before || 'blank' in before || 'blank' in token) return [token];
    const left = before.words.split(notWord).at(-1);
    const right = token.words.split(notWord)[0];
    if (!left || !right || text.includes(left + right)) return [token];
    return [{ words: ' ', pairs: [] }, token];
  });
}

const notWord = /[^\p{L}\p{N}]+/u;

const unescaped = (text: string) => text.replaceAll(/\\(.)/gsu, '$1');

/** Makes pairs of bound words: each begins with its first word and ends with its last. */
function nestedParts(tokens: readonly Token[], source: readonly Part[]): Part[] | undefined {
  const blanks = tokens.flatMap((token) => ('blank' in token ? [token.blank] : []));
  if (blanks.some((blank) => /^[oc]/.test(blank))) return partsOfBlanks(tokens);
  const ids = source.flatMap((part) => (typeof part !== 'string' && part.tag === 'open' ? [part.id] : []));
  const parentOf = parentsOf(source);
  const ranges = new Map<number, { first: number; last: number }>();
  for (const [index, token] of tokens.entries()) {
    if ('blank' in token) continue;
    for (const id of token.pairs) {
      const range = ranges.get(id) ?? { first: index, last: index };
      ranges.set(id, { ...range, last: index });
    }
  }
  if (ids.some((id) => !ranges.has(id))) return undefined;
  takeAtoms(tokens, ranges, source);
  // No words of others inside of a pair.
  for (const [id, { first, last }] of ranges)
    for (const token of tokens.slice(first, last + 1)) {
      if ('blank' in token || token.pairs.includes(id)) continue;
      if (token.pairs.length > 0 || /[\p{L}\p{N}]/u.test(token.words)) return undefined;
    }
  const depth = (id: number): number =>
    parentOf.get(id) === undefined ? 0 : 1 + depth(parentOf.get(id) as number);
  const parts: Part[] = [];
  for (const [index, token] of tokens.entries()) {
    const opened = ids
      .filter((id) => ranges.get(id)?.first === index)
      .toSorted((a, b) => depth(a) - depth(b));
    const closed = ids.filter((id) => ranges.get(id)?.last === index).toSorted((a, b) => depth(b) - depth(a));
    parts.push(...opened.map((id): Part => ({ tag: 'open', id })));
    parts.push('blank' in token ? { tag: 'atom', id: Number(token.blank.slice(1)) } : token.words);
    parts.push(...closed.map((id): Part => ({ tag: 'close', id })));
  }
  return isNested(parts) ? parts : undefined;
}

/** Extends pairs by the atoms that were in them, which lie beside their words. */
function takeAtoms(
  tokens: readonly Token[],
  ranges: Map<number, { first: number; last: number }>,
  source: readonly Part[],
): void {
  const pairsOf = new Map(atomsOf(source).map(({ id, pairs }) => [`x${id}`, pairs]));
  const isBetween = (token: Token | undefined) =>
    token !== undefined && ('blank' in token || (token.pairs.length === 0 && token.words.trim() === ''));
  for (const [index, token] of tokens.entries()) {
    if (!('blank' in token)) continue;
    for (const id of pairsOf.get(token.blank) ?? []) {
      const range = ranges.get(id);
      if (!range) continue;
      if (index > range.last && tokens.slice(range.last + 1, index).every(isBetween)) range.last = index;
      if (index < range.first && tokens.slice(index + 1, range.first).every(isBetween)) range.first = index;
    }
  }
}

/** The atoms of a text, each with the pairs around it. */
function atomsOf(source: readonly Part[]): { id: number; pairs: number[] }[] {
  const open: number[] = [];
  return source.flatMap((part) => {
    if (typeof part === 'string') return [];
    if (part.tag === 'atom') return [{ id: part.id, pairs: [...open] }];
    if (part.tag === 'open') open.push(part.id);
    else open.pop();
    return [];
  });
}

function partsOfBlanks(tokens: readonly Token[]): Part[] | undefined {
  const tags = { x: 'atom', o: 'open', c: 'close' } as const;
  const parts = tokens.map((token): Part =>
    'blank' in token
      ? { tag: tags[token.blank[0] as keyof typeof tags] ?? 'atom', id: Number(token.blank.slice(1)) }
      : token.words,
  );
  return isNested(parts) ? parts : undefined;
}

function parentsOf(source: readonly Part[]): Map<number, number | undefined> {
  const parents = new Map<number, number | undefined>();
  const open: number[] = [];
  for (const part of source) {
    if (typeof part === 'string' || part.tag === 'atom') continue;
    if (part.tag === 'close') open.pop();
    else {
      parents.set(part.id, open.at(-1));
      open.push(part.id);
    }
  }
  return parents;
}

function isNested(parts: readonly Part[]): boolean {
  const open: number[] = [];
  for (const part of parts) {
    if (typeof part === 'string') continue;
    if (part.tag === 'open') open.push(part.id);
    if (part.tag === 'close' && open.pop() !== part.id) return false;
  }
  return open.length === 0;
}
