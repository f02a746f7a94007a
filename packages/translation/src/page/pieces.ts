import type { Part } from '../text/parts.ts';
import { textOfParts } from '../text/parts.ts';
import type {
  Formatted,
  Marker,
  Placeholder,
  Range,
  Segment,
  SegmentForm,
  SegmentRole,
  Slice,
} from './segment.ts';

/**
 * A part of the source of a run of text. Tags of HTML may overlap with Markdown, so opening and closing
 * pieces are paired by name only later.
 */
export type Piece =
  | { kind: 'text'; text: string; slice: Slice }
  | { kind: 'open'; name: string; slice: Slice; marker?: Marker; isCode?: boolean }
  | { kind: 'close'; name: string; slice: Slice }
  | {
      kind: 'atom';
      slice: Slice;
      isWord: boolean;
      isAddress?: true;
      isBreak?: true;
      formatted?: Formatted;
    };

/** A tag of a block inside of inline Markdown, as in the cell of a table: the segment ends there. */
export type Boundary = { kind: 'boundary' };

type Pair = { kind: 'pair'; open: Slice; close: Slice; marker?: Marker; children: Node[] };
type Node = Extract<Piece, { kind: 'text' | 'atom' }> | Pair;

type Place = { role: SegmentRole; form: SegmentForm; source: string };

/**
 * Makes a segment of the pieces of a run of text. Strips pairs around the whole of it, and pictures, emoji
 * and the like at its ends; undefined if no letter is left.
 */
export function segmentOf(pieces: readonly Piece[], { role, form, source }: Place): Segment | undefined {
  const nodes = stripped(paired(pieces).map(withoutEmptyPairs), source);
  if (!nodes.some(hasLetter)) return undefined;
  const placeholders: Placeholder[] = [];
  const parts = numbered(nodes, placeholders);
  const first = sliceOf(nodes[0] as Node);
  const last = sliceOf(nodes.at(-1) as Node);
  return {
    role,
    form,
    text: textOfParts(parts),
    parts,
    placeholders,
    range: { start: first.start, end: last.end },
  };
}

type Open = { piece: Extract<Piece, { kind: 'open' }>; children: Node[] };

/** Pairs opening and closing pieces. One without its counterpart is an atom. */
function paired(pieces: readonly Piece[]): Node[] {
  const top: Node[] = [];
  const stack: Open[] = [];
  const here = () => stack.at(-1)?.children ?? top;
  const popAsAtom = () => {
    const { piece, children } = stack.pop() as Open;
    here().push({ kind: 'atom', slice: piece.slice, isWord: false }, ...children);
  };
  for (const piece of pieces) {
    if (piece.kind === 'open') stack.push({ piece, children: [] });
    else if (piece.kind === 'close') {
      const index = stack.findLastIndex(({ piece: { name } }) => name === piece.name);
      // Tags of HTML give way to marks of Markdown, which always nest.
      const mayClose = index >= 0 && stack.slice(index + 1).every(({ piece: { name } }) => isHtml(name));
      if (!mayClose) {
        here().push({ kind: 'atom', slice: piece.slice, isWord: false });
        continue;
      }
      while (stack.length > index + 1) popAsAtom();
      const { piece: open, children } = stack.pop() as Open;
      const pair: Pair = {
        kind: 'pair',
        open: open.slice,
        close: piece.slice,
        marker: open.marker,
        children,
      };
      here().push(open.isCode ? atomOf(pair, true) : pair);
    } else here().push(piece);
  }
  while (stack.length > 0) popAsAtom();
  return top;
}

const isHtml = (name: string) => name.startsWith('<');

function atomOf({ open, close, marker }: Pair, isWord: boolean): Node {
  const slice = { start: open.start, end: close.end };
  return { kind: 'atom', slice, isWord, formatted: marker ? { open, close, marker } : undefined };
}

/** Makes pairs without a letter atoms. */
function withoutEmptyPairs(node: Node): Node {
  if (node.kind !== 'pair') return node;
  if (!hasLetter(node)) return atomOf(node, hasWord(node));
  return { ...node, children: node.children.map(withoutEmptyPairs) };
}

function hasLetter(node: Node): boolean {
  return node.kind === 'text'
    ? /\p{L}/u.test(node.text)
    : node.kind === 'pair' && node.children.some(hasLetter);
}

function hasWord(node: Node): boolean {
  if (node.kind === 'text') return node.text.trim() !== '';
  return node.kind === 'atom' ? node.isWord : node.children.some(hasWord);
}

function stripped(nodes: Node[], source: string): Node[] {
  const isDropped = (node: Node | undefined) =>
    node !== undefined &&
    (node.kind === 'text' ? node.text.trim() === '' : node.kind === 'atom' && !node.isWord);
  let left = nodes;
  for (;;) {
    while (isDropped(left[0])) left = left.slice(1);
    while (isDropped(left.at(-1))) left = left.slice(0, -1);
    const [only] = left;
    if (left.length !== 1 || only?.kind !== 'pair') break;
    left = only.children;
  }
  return left.map((node, index) =>
    trimmed(node, { source, isFirst: index === 0, isLast: index === left.length - 1 }),
  );
}

/** White space as it may stand in a source. */
const leadingSpace = /^(?:\s|&nbsp;|&#(?:x0{0,4}(?:20|a0)|0{0,4}(?:32|160));)+/i;
const lastSpace = /(?:\s|&nbsp;|&#(?:x0{0,4}(?:20|a0)|0{0,4}(?:32|160));)$/i;
const longestSpace = 10;

function trailingSpaceLength(raw: string): number {
  let end = raw.length;
  for (;;) {
    const [space] = lastSpace.exec(raw.slice(Math.max(0, end - longestSpace), end)) ?? [];
    if (space === undefined) return raw.length - end;
    end -= space.length;
  }
}

function trimmed(
  node: Node,
  { source, isFirst, isLast }: { source: string; isFirst: boolean; isLast: boolean },
): Node {
  if (node.kind !== 'text' || (!isFirst && !isLast)) return node;
  let { text } = node;
  const slice = { ...node.slice };
  const raw = source.slice(slice.start, slice.end);
  if (isFirst) {
    text = text.trimStart();
    slice.start += leadingSpace.exec(raw)?.[0].length ?? 0;
  }
  if (isLast) {
    text = text.trimEnd();
    slice.end -= trailingSpaceLength(raw.slice(slice.start - node.slice.start));
  }
  return { ...node, text, slice };
}

function numbered(nodes: readonly Node[], placeholders: Placeholder[]): Part[] {
  const parts: Part[] = [];
  for (const node of nodes) {
    if (node.kind === 'text') {
      const before = parts.at(-1);
      if (typeof before === 'string') parts[parts.length - 1] = before + node.text;
      else parts.push(node.text);
    } else if (node.kind === 'atom') {
      const { isWord: _, ...atom } = node;
      placeholders.push(atom);
      parts.push({ tag: 'atom', id: placeholders.length });
    } else {
      const { open, close, marker } = node;
      placeholders.push({ kind: 'pair', open, close, marker });
      const id = placeholders.length;
      parts.push({ tag: 'open', id }, ...numbered(node.children, placeholders), { tag: 'close', id });
    }
  }
  return parts;
}

function sliceOf(node: Node): Range {
  return node.kind === 'pair' ? { start: node.open.start, end: node.close.end } : node.slice;
}
