import type { Nodes, Parent, Root } from 'mdast';
import type { BlockTags } from './blockTags.ts';
import { htmlPieces, tagPieces, type Piece } from './pieces.ts';
import { rangeOf, sourceOfNode } from './sourceOfNode.ts';

/** What taking a flow apart depends on. */
type FlowSyntax = {
  tags: BlockTags;
  parseMarkdown(source: string): Root;
  /** Whether lines may begin with the `>` of a quote. */
  isQuoted: boolean;
};

/** The children of a node of Markdown as pieces: block tags and HTML taken apart, also those in the middle of a paragraph. */
export function flowPieces(children: readonly Nodes[], source: string, syntax: FlowSyntax): Piece[] {
  const mayHoldTags = source.includes('{%');
  const pieces: Piece[] = [];
  for (const node of children) {
    if (node.type === 'blockTag') pieces.push(...lineOfTags(node.value, syntax));
    else if (node.type === 'html') pieces.push(...htmlWithTags(node.value, syntax));
    else if (mayHoldTags && node.type === 'paragraph' && hasTag(node, source)) pieces.push(...paragraphWithTags(node, source, syntax));
    else pieces.push({ kind: 'node', node, source });
  }
  return pieces;
}

function lineOfTags(line: string, syntax: FlowSyntax): Piece[] {
  return tagPieces(line, syntax.tags.isTag).flatMap((piece) =>
    piece.kind === 'text' ? markdownPieces(piece.raw, { ...syntax, isQuoted: false }) : [piece],
  );
}

function htmlWithTags(html: string, { tags }: FlowSyntax): Piece[] {
  const pieces = htmlPieces(html);
  if (!html.includes('{%')) return pieces;
  let codeDepth = 0;
  return pieces.flatMap((piece) => {
    if (piece.kind === 'text') return codeDepth > 0 || !piece.raw.includes('{%') ? [piece] : tagPieces(piece.raw, tags.isTag);
    if (piece.kind !== 'node' && (piece.name === 'pre' || piece.name === 'code')) {
      codeDepth = Math.max(0, codeDepth + (piece.kind === 'open' ? 1 : -1));
    }
    return [piece];
  });
}

function hasTag(node: Nodes, source: string): boolean {
  return sourceOfNode(node, source).includes('{%');
}

/**
 * A tag in a paragraph counts where it begins a line or, as an end, where it ends one: people write about tags, too.
 */
function paragraphWithTags(node: Parent & Nodes, source: string, syntax: FlowSyntax): Piece[] {
  const raw = sourceOfNode(node, source);
  const [from] = rangeOf(node) ?? [0];
  const code = codeSpans(node).map(([start, end]) => [start - from, end - from] as const);
  const isInCode = (at: number) => code.some(([start, end]) => at > start && at < end);
  let at = 0;
  const pieces: Piece[] = [];
  let held = '';
  const all = tagPieces(raw, syntax.tags.isTag);
  for (const [index, piece] of all.entries()) {
    const next = all[index + 1];
    const startsLine = /(?:^|\n[ \t>]*)$/.test(held) || (held === '' && pieces.at(-1)?.kind !== 'node');
    const endsLine = next === undefined || next.kind !== 'text' || /^[ \t]*(?:\r?\n|$)/.test(next.raw);
    const counts = piece.kind === 'open' ? startsLine : piece.kind === 'close' && (endsLine || startsLine);
    if (counts && !isInCode(at) && raw[at - 1] !== '\\') {
      pieces.push(...markdownPieces(held, syntax), piece);
      held = '';
    } else if (piece.kind !== 'node') held += piece.raw;
    if (piece.kind !== 'node') at += piece.raw.length;
  }
  if (pieces.length === 0) return [{ kind: 'node', node, source }];
  return [...pieces, ...markdownPieces(held, syntax)];
}

function codeSpans(node: Nodes): [number, number][] {
  if (node.type === 'inlineCode' || node.type === 'inlineMath') {
    const range = rangeOf(node);
    return range ? [range] : [];
  }
  return 'children' in node ? node.children.flatMap(codeSpans) : [];
}

/** The text beside tags, read as Markdown of its own. */
function markdownPieces(raw: string, { isQuoted, parseMarkdown }: FlowSyntax): Piece[] {
  const lines = isQuoted ? raw.replaceAll(/^[ \t]*(?:>[ \t]?)+/gm, '') : raw;
  const source = lines.replaceAll(/^[ \t]+/gm, '').trim();
  if (source === '') return [];
  return parseMarkdown(source).children.flatMap((node): Piece[] =>
    node.type === 'html' ? htmlPieces(node.value) : [{ kind: 'node', node, source }],
  );
}
