import type { DocumentNode } from '@bindery/contract';
import { parseDocument } from '@bindery/dialect';
import { withoutTitle } from '@bindery/dialect/syntax';
import { splitBlocks, type Block } from '../merge/splitBlocks.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';

/** A block of a page's source, one character per byte, with the keys of all document nodes in it. */
export type KeyedBlock = Block & {
  keys: ReadonlySet<string>;
  /** The nodes cannot be assigned to parts of this block. */
  isUnclear: boolean;
};

/** No node of a document consists of more pieces; comparing more would cost more than it gains. */
const maxPieces = 100;

/**
 * Splits the source of a page into blocks, each with the keys of its nodes in the page's document. The line
 * of the title is a block without keys.
 *
 * Pieces of the source are finer than nodes of the document: a list with blank lines consists of many. So
 * pieces are joined until they parse as the next nodes.
 */
export function keyedBlocks({ body }: PageSource, title: string): KeyedBlock[] {
  const source = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const pieces = splitBlocks(source.toString('latin1'));
  const markdown = source.toString('utf8');
  const rest = withoutTitle(markdown, title);
  const nodes = parseDocument(rest).nodes;
  const blocks: KeyedBlock[] = [];
  let next = 0;
  for (let start = 0; start < pieces.length;) {
    const isTitle = rest !== markdown && !blocks.some(({ text }) => text !== '');
    const found = isTitle ? withTitle(pieces, start) : match(pieces, { start, nodes: nodes.slice(next) });
    blocks.push(found.block);
    start += found.pieces;
    next += found.nodes;
  }
  return blocks;
}

type Match = { block: KeyedBlock; pieces: number; nodes: number };

function withTitle(pieces: readonly Block[], start: number): Match {
  const { text, gap } = pieces[start] as Block;
  return { block: { text, gap, keys: new Set(), isUnclear: false }, pieces: 1, nodes: 0 };
}

function match(
  pieces: readonly Block[],
  { start, nodes }: { start: number; nodes: readonly DocumentNode[] },
): Match {
  for (let count = 1; count <= maxPieces && start + count <= pieces.length; count += 1) {
    const { text, gap } = join(pieces.slice(start, start + count));
    const read = parseDocument(Buffer.from(text, 'latin1').toString('utf8')).nodes;
    if (read.length > nodes.length || read.some((node, index) => shapeOf(node) !== shapeOf(nodes[index])))
      continue;
    const keys = new Set(nodes.slice(0, read.length).flatMap(keysIn));
    return { block: { text, gap, keys, isUnclear: false }, pieces: count, nodes: read.length };
  }
  const { text, gap } = join(pieces.slice(start));
  return {
    block: { text, gap, keys: new Set(nodes.flatMap(keysIn)), isUnclear: true },
    pieces: pieces.length - start,
    nodes: nodes.length,
  };
}

function join(pieces: readonly Block[]): Block {
  const last = pieces.at(-1) as Block;
  const before = pieces.slice(0, -1).map(({ text, gap }) => text + gap);
  return { text: before.join('') + last.text, gap: last.gap };
}

/**
 * A node without properties that depend on its position: its key, and an anchor that is unique on the page.
 */
function shapeOf(node: DocumentNode | undefined): string {
  return (
    JSON.stringify(node, (name, value: unknown) => (name === 'key' || name === 'meta' ? undefined : value)) ??
    ''
  );
}

function keysIn(node: DocumentNode): string[] {
  const own = node.key === undefined ? [] : [node.key];
  if (node.object === 'text') return own;
  const below = [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap(({ nodes }) => nodes)];
  return [...own, ...below.flatMap(keysIn)];
}
