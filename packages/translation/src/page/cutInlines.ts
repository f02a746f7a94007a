import { oneLine } from '../text/oneLine.ts';
import {
  isInlineElement,
  isKnownElement,
  tokenizeHtml,
  withoutEntities,
  type PlacedToken,
} from '@bindery/dialect/source';
import type { Image, ImageReference, Link, LinkReference, PhrasingContent } from 'mdast';
import { cutAttributes } from './attributes.ts';
import type { PageCutter } from './cutter.ts';
import type { Boundary, Piece } from './pieces.ts';
import { placeOfNode, type PlacedText } from './place.ts';
import type { Marker, Range, Slice } from './segment.ts';
import { textPieces } from './textPieces.ts';

/** Returns the pieces of inline Markdown, and cuts the texts inside of its tags and images. */
export function inlinePieces(
  children: readonly PhrasingContent[],
  text: PlacedText,
  cutter: PageCutter,
): (Piece | Boundary)[] {
  const { source } = cutter;
  const pieces: (Piece | Boundary)[] = [];
  const atom = (slice: Slice, isWord: boolean) => pieces.push({ kind: 'atom', slice, isWord });
  for (const [index, node] of children.entries()) {
    const place = placeOfNode(node, text);
    const next = children[index + 1];
    switch (node.type) {
      case 'text':
        pieces.push(
          ...textPieces(withoutRest(node.value, children[index - 1], { text, cutter }), {
            slice: place,
            source,
            isMarkdown: true,
          }),
        );
        break;
      case 'strong':
      case 'emphasis':
      case 'delete':
        pieces.push(...pairPieces(node, { text, cutter, marker: node.type }));
        break;
      case 'link':
      case 'linkReference':
        pieces.push(...linkPieces(node, next, { text, cutter }));
        break;
      case 'image':
      case 'imageReference':
        cutImage(node, place, cutter);
        atom(place, false);
        break;
      case 'html':
        pieces.push(...htmlPieces(node.value, place, cutter));
        break;
      case 'break': {
        // Up to the next text: what begins its line belongs to the break.
        const end = next ? placeOfNode(next, text).start : place.end;
        pieces.push({ kind: 'atom', slice: { start: place.start, end }, isWord: false, isBreak: true });
        break;
      }
      case 'footnoteReference': {
        const before = children[index - 1];
        if (!(before && isAnnotated(before, node))) atom(place, false);
        break;
      }
      case 'inlineCode':
      case 'inlineMath':
        atom(place, true);
    }
  }
  return pieces;
}

type Surroundings = { text: PlacedText; cutter: PageCutter; marker?: Marker };
type PairNode = Extract<PhrasingContent, { children: PhrasingContent[] }>;

function pairPieces(node: PairNode, { text, cutter, marker }: Surroundings): (Piece | Boundary)[] {
  const { start, end } = placeOfNode(node, text);
  const [first, last] = [node.children[0], node.children.at(-1)];
  if (!first || !last) return [{ kind: 'atom', slice: { start, end }, isWord: false }];
  const open: Piece = {
    kind: 'open',
    name: `${node.type} ${start}`,
    slice: { start, end: placeOfNode(first, text).start },
    marker,
  };
  const close: Piece = {
    kind: 'close',
    name: open.name,
    slice: { start: placeOfNode(last, text).end, end },
  };
  return [open, ...inlinePieces(node.children, text, cutter), close];
}

/**
 * Returns the space behind a bare address, written as a character reference: all but its semicolon counts as
 * a part of the link.
 */
function restOf(node: PhrasingContent, { text, cutter }: Surroundings): string {
  const { start, end } = placeOfNode(node, text);
  const raw = cutter.source.slice(start, end);
  if (node.type !== 'link' || /^[[<]/.test(raw)) return '';
  return /&(?:#(?:x0*(?:20|a0)|0*(?:32|160))|nbsp)$/i.exec(raw)?.[0] ?? '';
}

function withoutRest(value: string, before: PhrasingContent | undefined, surroundings: Surroundings): string {
  return before && restOf(before, surroundings) !== '' ? value.replace(/^;/, '') : value;
}

const annotatedLink = /^#user-content-fn-/;

/** Tells whether the link only marks the text that the footnote explains. */
function isAnnotated(node: PhrasingContent, next: PhrasingContent | undefined): boolean {
  return node.type === 'link' && annotatedLink.test(node.url) && next?.type === 'footnoteReference';
}

function linkPieces(
  node: Link | LinkReference,
  next: PhrasingContent | undefined,
  { text, cutter }: Surroundings,
): (Piece | Boundary)[] {
  const { source } = cutter;
  const place = placeOfNode(node, text);
  if (source[place.start] !== '[') {
    if (source[place.start] === '<') return [{ kind: 'atom', slice: place, isWord: true }];
    const end = place.end - restOf(node, { text, cutter }).length;
    const address: Piece = {
      kind: 'atom',
      slice: { start: place.start, end },
      isWord: true,
      isAddress: true,
    };
    if (end === place.end) return [address];
    return [address, { kind: 'text', text: ' ', slice: { start: end, end: place.end } }];
  }
  const pieces = pairPieces(node, { text, cutter });
  const close = pieces.at(-1);
  if (close?.kind !== 'close') return pieces;
  if (node.type === 'link') {
    // The reader shows the name of its target instead.
    if (node.title === 'mention') return [{ kind: 'atom', slice: place, isWord: true }];
    cutTitle(node.title, close.slice, cutter);
  } else if (node.referenceType !== 'full') {
    // The text is the label of the target, and has to stay so.
    close.slice.text = `][${source.slice(place.start + 1, close.slice.start)}]`;
  }
  if (next && isAnnotated(node, next)) close.slice.end = placeOfNode(next, text).end;
  return pieces;
}

/** Cuts the title of a link or an image, at the end of its source. */
function cutTitle(title: string | null | undefined, { start, end }: Range, cutter: PageCutter): void {
  if (!title) return;
  const match = /\s(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)')\s*\)$/d.exec(
    cutter.source.slice(start, end),
  );
  const [from, to] = match?.indices?.[1] ?? match?.indices?.[2] ?? [];
  if (from === undefined || to === undefined) return;
  cutter.addPlain({
    role: 'caption',
    form: 'linkTitle',
    value: oneLine(title),
    range: { start: start + from, end: start + to },
  });
}

function cutImage(node: Image | ImageReference, { start, end }: Range, cutter: PageCutter): void {
  const raw = cutter.source.slice(start, end);
  const close = closingBracket(raw);
  const alt = node.alt ?? '';
  // Without a label of its own, the text of a reference is its label.
  if (close > 0 && alt !== '' && (node.type === 'image' || node.referenceType === 'full'))
    cutter.addPlain({
      role: 'caption',
      form: 'alt',
      value: oneLine(alt),
      range: { start: start + 2, end: start + close },
    });
  if (node.type === 'image') cutTitle(node.title, { start: start + Math.max(close, 2), end }, cutter);
}

/** The end of the text of an image, which begins with `![`; -1 if it is not clear. */
function closingBracket(raw: string): number {
  let depth = 0;
  for (let at = 1; at < raw.length; at += 1) {
    const letter = raw[at];
    if (letter === '\\') at += 1;
    else if (letter === '`' || letter === '<') return -1;
    else if (letter === '[') depth += 1;
    else if (letter === ']' && (depth -= 1) === 0) return /[([]/.test(raw[at + 1] ?? '') ? at : -1;
  }
  return -1;
}

function htmlPieces(html: string, slice: Range, cutter: PageCutter): (Piece | Boundary)[] {
  const [token] = tokenizeHtml(html);
  return token ? [tokenPiece(token, slice, cutter)] : [{ kind: 'atom', slice, isWord: false }];
}

/** Elements whose words are code, or names of keys. */
const code: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt', 'var', 'svg', 'math']);

/** Makes a piece of a tag of an inline element, or of the text between two. */
export function tokenPiece(token: PlacedToken, slice: Range, cutter: PageCutter): Piece | Boundary {
  if (token.kind === 'text') return { kind: 'text', text: withoutEntities(token.raw), slice };
  const { name } = token;
  // A tag of an unknown element counts as a word.
  if (!isKnownElement(name)) return { kind: 'atom', slice, isWord: true };
  if (token.kind === 'open')
    cutAttributes(token, { text: token.raw, at: (position) => slice.start + position }, cutter);
  cutter.addHeadingTag(token, slice.start);
  if (!isInlineElement(name) && !code.has(name)) return { kind: 'boundary' };
  if (token.kind === 'close') return { kind: 'close', name: `<${name}`, slice };
  if (token.isVoid) return { kind: 'atom', slice, isWord: false };
  return { kind: 'open', name: `<${name}`, slice, ...(isUntranslated(token) && { isCode: true }) };
}

function isUntranslated({ name, attributes }: Extract<PlacedToken, { kind: 'open' }>): boolean {
  if (code.has(name) || attributes.get('data-tag') === 'emoji' || attributes.has('data-mention')) return true;
  return name === 'i' && /\bfa-/.test(attributes.get('class') ?? '');
}
