import type { Nodes } from 'mdast';
import { readAttributes, type Attributes } from './attributes.ts';

/** Tags of the dialect are `{% hint %}`, elements are `<details>`. */
export type Form = 'tag' | 'element';

/** A part of a source before opening and closing tags are paired. `raw` is its source text. */
export type Token =
  | { kind: 'node'; node: Nodes; source: string }
  | { kind: 'text'; raw: string }
  | {
      kind: 'open';
      form: Form;
      name: string;
      raw: string;
      attributes: Attributes;
      argument: string;
      isVoid: boolean;
    }
  | { kind: 'close'; form: Form; name: string; raw: string };

/** A token with its position in the source. */
export type PlacedToken = Exclude<Token, { kind: 'node' }> & { at: number };

const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose content is not markup. */
const rawElements: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'xmp']);

/**
 * Splits HTML into tags and the text between them. Drops comments, declarations and processing instructions,
 * which no reader sees.
 *
 * Linear: an unterminated tag is text, and so is everything up to the next `<`.
 */
export function tokenizeHtml(html: string): PlacedToken[] {
  const tokens: PlacedToken[] = [];
  const missing = new Set<string>();
  const endless = new Set<number>();
  let textFrom = 0;
  let at = html.indexOf('<');
  const addText = (to: number) => {
    if (to > textFrom) tokens.push({ kind: 'text', raw: html.slice(textFrom, to), at: textFrom });
  };
  const endAfter = (mark: string, from: number): number => {
    if (missing.has(mark)) return -1;
    const found = html.indexOf(mark, from);
    if (found < 0) missing.add(mark);
    return found < 0 ? -1 : found + mark.length;
  };
  while (at >= 0) {
    const silentEnd = endOfSilent(html, at, endAfter);
    const tag = silentEnd < 0 ? tagAt(html, { at, endAfter, endless }) : undefined;
    const end = tag ? tag.end : silentEnd;
    if (end >= 0) {
      addText(at);
      textFrom = end;
      if (tag) {
        tokens.push({ ...tag.token, at });
        if (tag.token.kind === 'open' && rawElements.has(tag.token.name) && !tag.token.isVoid) {
          const close = new RegExp(`</${tag.token.name}`, 'i').exec(html.slice(end));
          addText(close ? end + close.index : html.length);
          textFrom = close ? end + close.index : html.length;
        }
      }
    }
    at = html.indexOf('<', Math.max(at + 1, textFrom));
  }
  addText(html.length);
  return tokens;
}

type EndAfter = (mark: string, from: number) => number;

function endOfSilent(html: string, at: number, endAfter: EndAfter): number {
  if (html.startsWith('<!--', at)) return endAfter('-->', at + 4);
  if (html.startsWith('<![CDATA[', at)) return endAfter(']]>', at + 9);
  if (html.startsWith('<?', at)) return endAfter('?>', at + 2);
  return /^<![a-z]/i.test(html.slice(at, at + 3)) ? endAfter('>', at + 2) : -1;
}

/** `endless` lists the ends of quotes after which no tag ends, so that each is searched only once. */
type TagStart = { at: number; endAfter: EndAfter; endless: Set<number> };

function tagAt(
  html: string,
  { at, endAfter, endless }: TagStart,
): { token: Extract<Token, { kind: 'open' | 'close' }>; end: number } | undefined {
  const [opening = '', slash = '', written = ''] =
    /^<(\/?)([a-z][\w:.-]{0,60})(?=[\s/>])/i.exec(html.slice(at, at + 70)) ?? [];
  if (opening === '') return undefined;
  const from = at + opening.length;
  let end = from;
  const quoteEnds: number[] = [];
  while (end < html.length && html[end] !== '>') {
    const letter = html[end] as string;
    if (letter === '<' || endless.has(end)) break;
    if ((letter === '"' || letter === "'") && html[end - 1] === '=') {
      const quoteEnd = endAfter(letter, end + 1);
      // An unterminated quote is an ordinary character.
      end = quoteEnd < 0 ? end + 1 : quoteEnd;
      quoteEnds.push(end);
    } else end += 1;
  }
  if (html[end] !== '>') {
    for (const quoteEnd of quoteEnds) endless.add(quoteEnd);
    return undefined;
  }
  const name = written.toLowerCase();
  const raw = html.slice(at, end + 1);
  if (slash) return { token: { kind: 'close', form: 'element', name, raw }, end: end + 1 };
  const argument = html.slice(from, end);
  const isVoid = voidElements.has(name) || argument.endsWith('/');
  return {
    token: {
      kind: 'open',
      form: 'element',
      name,
      raw,
      attributes: readAttributes(argument),
      argument,
      isVoid,
    },
    end: end + 1,
  };
}

/**
 * Splits a source into tags of the dialect and the text between them. Tags that `isKnown` refuses stay text.
 */
export function tokenizeTags(source: string, isKnown: (name: string) => boolean): Token[] {
  const tokens: Token[] = [];
  let textFrom = 0;
  let end = 0;
  for (let at = source.indexOf('{%'); at >= 0; at = source.indexOf('{%', at + 2)) {
    // Unterminated tags all find the same `%}`, so it is searched only once.
    if (end < at + 2) end = source.indexOf('%}', at + 2);
    if (end < 0) break;
    const [opening = '', word = ''] = /^\{%-?\s{0,20}([a-z-]{1,48})/i.exec(source.slice(at, at + 78)) ?? [];
    const name = word.toLowerCase();
    // Another tag begins before the `%}`, so this one is unterminated.
    const next = source.indexOf('{%', at + 2);
    if (opening === '' || !isKnown(name) || (next >= 0 && next < end)) continue;
    if (at > textFrom) tokens.push({ kind: 'text', raw: source.slice(textFrom, at) });
    textFrom = end + 2;
    const raw = source.slice(at, textFrom);
    const argument = source
      .slice(at + opening.length, end)
      .replace(/-$/, '')
      .trim();
    if (name.startsWith('end')) tokens.push({ kind: 'close', form: 'tag', name: name.slice(3), raw });
    else
      tokens.push({
        kind: 'open',
        form: 'tag',
        name,
        raw,
        attributes: readAttributes(argument),
        argument,
        isVoid: false,
      });
    at = end;
  }
  if (textFrom < source.length) tokens.push({ kind: 'text', raw: source.slice(textFrom) });
  return tokens;
}
