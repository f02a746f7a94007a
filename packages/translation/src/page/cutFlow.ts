import { placedTags, rangeOf, type PlacedToken } from '@bindery/dialect/source';
import type { Nodes, Parent, PhrasingContent, RootContent } from 'mdast';
import { cutAttributes } from './attributes.ts';
import { cutHtml } from './cutHtml.ts';
import { inlinePieces } from './cutInlines.ts';
import type { PageCutter } from './cutter.ts';
import { pieceOf, placedValue, placeOfNode, unindented, type PlacedText } from './place.ts';
import type { Range, SegmentRole } from './segment.ts';

export type FlowContext = {
  /** The role of a paragraph. */
  role: SegmentRole;
  /** The lines may begin with the `>` of a quote. */
  isQuoted?: boolean;
  /** The text stands between elements of HTML. */
  isReread?: boolean;
};

/** Cuts a text that is read as Markdown apart from its surroundings, without the indents of its lines. */
function cutPiece(piece: PlacedText, cutter: PageCutter, context: FlowContext): void {
  if (piece.text.trim() === '') return;
  const text = unindented(piece, context.isQuoted ?? false);
  const root = cutter.parse(text.text);
  if (root) cutFlow(root.children, text, { ...context, isQuoted: false, cutter });
}

type Flow = FlowContext & { cutter: PageCutter };

/** Cuts the blocks of Markdown. */
export function cutFlow(nodes: readonly RootContent[], text: PlacedText, flow: Flow): void {
  for (const node of nodes) {
    const cut = cutters[node.type] as Cut<RootContent> | undefined;
    cut?.(node, text, flow);
  }
}

type Cut<Node> = (node: Node, text: PlacedText, flow: Flow) => void;

const cutChildren = ({ children }: { children: readonly RootContent[] }, text: PlacedText, flow: Flow) =>
  cutFlow(children, text, flow);

/** Blocks of all other types have no text. */
const cutters: { [Type in RootContent['type']]?: Cut<Extract<RootContent, { type: Type }>> } = {
  paragraph(node, text, flow) {
    if (cutTags(node, text, flow)) return;
    const { cutter, role } = flow;
    cutter.add(inlinePieces(node.children, text, cutter), { role, form: 'markdown' });
  },
  heading({ children }, text, { cutter, role }) {
    const pieces = inlinePieces(children, text, cutter);
    cutter.add(pieces, { role: role === 'title' ? 'title' : 'heading', form: 'heading' });
    const last = children.at(-1);
    if (last) cutter.headingEnds.push({ at: placeOfNode(last, text).end, isHtml: false });
  },
  table({ children }, text, { cutter }) {
    for (const cell of children.flatMap((row) => row.children))
      cutter.add(inlinePieces(cell.children, text, cutter), { role: 'cell', form: 'cell' });
  },
  blockTag(node, text, flow) {
    cutLine(placedTags(node.value), pieceOf(text, rangeIn(node)), flow);
  },
  html(node, text, { cutter, isReread = false }) {
    const html = placedValue(node.value, rangeIn(node), text);
    if (!html) return;
    cutHtml(html, {
      cutter,
      isReread,
      cutMarkdown: (piece, role) => cutPiece(piece, cutter, { role, isReread: true }),
    });
  },
  blockquote: (node, text, flow) => cutChildren(node, text, { ...flow, isQuoted: true }),
  list: cutChildren,
  listItem: cutChildren,
  footnoteDefinition: cutChildren,
};

function rangeIn(node: Nodes): Range {
  const [start, end] = rangeOf(node) ?? [0, 0];
  return { start, end };
}

/** Cuts the texts of tags and between tags. */
function cutLine(tokens: readonly PlacedToken[], line: PlacedText, { cutter, ...context }: Flow): void {
  for (const token of tokens) {
    const piece = pieceOf(line, { start: token.at, end: token.at + token.raw.length });
    if (token.kind === 'text') cutPiece(piece, cutter, context);
    else if (token.kind === 'open') cutAttributes(token, piece, cutter);
  }
}

/**
 * Cuts a paragraph at tags that begin a line, and at closing tags that end one; false if it has none. All
 * other tags are part of its text.
 */
function cutTags(node: Parent & Nodes, text: PlacedText, flow: Flow): boolean {
  const { start, end } = rangeIn(node);
  const raw = text.text.slice(start, end);
  if (!raw.includes('{%')) return false;
  const code = codeRanges(node.children as PhrasingContent[]);
  const tokens: PlacedToken[] = [];
  const all = placedTags(raw);
  for (const [index, token] of all.entries()) {
    if (
      token.kind === 'text' ||
      isInside(start + token.at, code) ||
      !endsOrBegins(token, { raw, all, index })
    ) {
      const before = tokens.at(-1);
      if (before?.kind === 'text') tokens[tokens.length - 1] = { ...before, raw: before.raw + token.raw };
      else tokens.push({ kind: 'text', raw: token.raw, at: token.at });
    } else tokens.push(token);
  }
  if (tokens.every(({ kind }) => kind === 'text')) return false;
  cutLine(tokens, pieceOf(text, { start, end }), flow);
  return true;
}

function endsOrBegins(
  token: PlacedToken,
  { raw, all, index }: { raw: string; all: readonly PlacedToken[]; index: number },
): boolean {
  if (raw[token.at - 1] === '\\') return false;
  const before = all[index - 1];
  const begins =
    /(?:^|\n)[ \t>]*$/.test(raw.slice(0, token.at)) || (before && before.kind !== 'text') === true;
  const behind = raw.slice(token.at + token.raw.length);
  return begins || (token.kind === 'close' && /^[ \t]*(?:\r?\n|$|\{%)/.test(behind));
}

function codeRanges(nodes: readonly PhrasingContent[]): [number, number][] {
  return nodes.flatMap((node) => {
    if (node.type === 'inlineCode' || node.type === 'inlineMath') return [rangeOf(node) ?? [0, 0]];
    return 'children' in node ? codeRanges(node.children) : [];
  });
}

function isInside(at: number, ranges: readonly [number, number][]): boolean {
  return ranges.some(([start, end]) => at > start && at < end);
}
