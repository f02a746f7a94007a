import type { Part } from '@bindery/translation';

/** The neighbour of an atom in a text. */
type Beside = 'edge' | 'space' | 'letter' | 'sign';

/**
 * Restores the spaces around atoms, which the engine moves: `the [x]king` may come back as `el [x] rey`. Runs
 * of spaces, which it leaves where it has joined words, become one. A text that begins with a capital letter
 * does so afterwards: `There is` may come back as `hay`.
 */
export function likeSource(parts: readonly Part[], source: readonly Part[]): Part[] {
  const wanted = new Map<number, { before: Beside; after: Beside }>();
  for (const [index, part] of source.entries())
    if (isAtom(part))
      wanted.set(part.id, { before: beside(source, index, -1), after: beside(source, index, 1) });
  const spaced = collapsed(spacesOutside(parts));
  tidySigns(spaced, textOf(source));
  for (const [index, part] of spaced.entries()) {
    if (!isAtom(part)) continue;
    const { before, after } = wanted.get(part.id) ?? { before: 'space', after: 'space' };
    fit(spaced, index, { step: -1, wanted: before });
    fit(spaced, index, { step: 1, wanted: after });
  }
  capitalize(spaced, textOf(source));
  return spaced.filter((part) => part !== '');
}

/** An atom is a letter. */
const textOf = (parts: readonly Part[]) => parts.map(letterOf).join('');

function letterOf(part: Part): string {
  if (typeof part === 'string') return part;
  return isAtom(part) ? 'x' : '';
}

/** The engine leaves spaces where it has moved or removed words, and adds a stop to one: `EE.UU..`. */
const untidy: readonly [pattern: RegExp, tidy: string][] = [
  [/ ([.,;:!?)])/g, '$1'],
  [/([(¿¡]) /g, '$1'],
  [/([.,;:])\1/g, '$1'],
];

/** Writes signs without spaces, and once, where the source has all of them so. */
function tidySigns(parts: Part[], source: string): void {
  for (const [pattern, tidy] of untidy) {
    if (source.search(pattern) >= 0) continue;
    for (const [index, part] of parts.entries())
      if (typeof part === 'string') parts[index] = part.replaceAll(pattern, tidy);
  }
}

/** Words of the source stay as they are written there. */
function capitalize(parts: Part[], source: string): void {
  const index = parts.findIndex((part) => isAtom(part) || (typeof part === 'string' && /\p{L}/u.test(part)));
  const text = parts[index];
  if (typeof text !== 'string' || !/^[^\p{L}\p{N}]*\p{Lu}/u.test(source)) return;
  const [, before = '', word = ''] = /^([^\p{L}\p{N}]*)(\p{Ll}[\p{L}\p{N}]*)/u.exec(text) ?? [];
  if (word === '' || source.split(/[^\p{L}\p{N}]+/u).includes(word)) return;
  const [first = ''] = word;
  parts[index] = before + first.toUpperCase() + text.slice(before.length + first.length);
}

const isAtom = (part: Part | undefined): part is Extract<Part, { tag: string }> =>
  typeof part === 'object' && part.tag === 'atom';

/** Moves spaces at the inner ends of pairs before and behind them. */
function spacesOutside(parts: readonly Part[]): Part[] {
  const moved = [...parts];
  // From the inside out: a space passes the tags of all pairs that begin or end there.
  for (let index = moved.length - 1; index > 0; index -= 1) {
    const [tag, text] = [moved[index - 1], moved[index]];
    if (typeof text !== 'string' || typeof tag !== 'object' || tag.tag !== 'open' || !/^\s/.test(text))
      continue;
    moved.splice(index - 1, 2, ' ', tag, text.trimStart());
    index += 1;
  }
  for (let index = 0; index < moved.length - 1; index += 1) {
    const [text, tag] = [moved[index], moved[index + 1]];
    if (typeof text !== 'string' || typeof tag !== 'object' || tag.tag !== 'close' || !/\s$/.test(text))
      continue;
    moved.splice(index, 2, text.trimEnd(), tag, ' ');
    index = Math.max(-1, index - 1);
  }
  return moved;
}

/** Joins neighbouring words, and makes their runs of spaces one; none at the ends. */
function collapsed(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  let endsWithSpace = true;
  for (const part of parts) {
    if (typeof part !== 'string') {
      if (part.tag === 'atom') endsWithSpace = false;
      joined.push(part);
      continue;
    }
    let text = part.replaceAll(/[ \t\r\n]+/g, ' ');
    if (endsWithSpace) text = text.trimStart();
    if (text === '') continue;
    endsWithSpace = text.endsWith(' ');
    const last = joined.at(-1);
    if (typeof last === 'string') joined[joined.length - 1] = last + text;
    else joined.push(text);
  }
  const last = joined.findLastIndex((part) => typeof part === 'string' || part.tag === 'atom');
  const text = joined[last];
  if (typeof text === 'string') joined[last] = text.trimEnd();
  return joined;
}

/** Looks through the tags of pairs. */
function beside(parts: readonly Part[], index: number, step: 1 | -1): Beside {
  for (let at = index + step; at >= 0 && at < parts.length; at += step) {
    const part = parts[at] as Part;
    if (isAtom(part)) return 'letter';
    if (typeof part !== 'string' || part === '') continue;
    const letter = step === 1 ? (part[0] as string) : (part.at(-1) as string);
    if (/\s/.test(letter)) return 'space';
    return /[\p{L}\p{N}]/u.test(letter) ? 'letter' : 'sign';
  }
  return 'edge';
}

function fit(parts: Part[], index: number, { step, wanted }: { step: 1 | -1; wanted: Beside }): void {
  const found = beside(parts, index, step);
  const at = index + step;
  const text = parts[at];
  if (wanted === 'space' || wanted === 'edge') {
    if (found !== 'letter') return;
    if (typeof text === 'string') parts[at] = step === 1 ? ` ${text}` : `${text} `;
    return;
  }
  if (found !== 'space' || typeof text !== 'string') return;
  const trimmed = step === 1 ? text.trimStart() : text.trimEnd();
  const next = step === 1 ? trimmed[0] : trimmed.at(-1);
  if (next === undefined || wanted === 'letter' || !/[\p{L}\p{N}]/u.test(next)) parts[at] = trimmed;
}
