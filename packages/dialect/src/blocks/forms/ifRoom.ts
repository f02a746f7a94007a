import type { Nodes } from 'mdast';
import { sourceOfNode } from '../../syntax/sourceOfNode.ts';
import { deepestBlock } from '../../tree/limits.ts';
import { plainParagraph } from '../../tree/nodes.ts';
import type { ReadNode } from '../block.ts';

/** Reads a node of Markdown that adds that many levels to the tree; one that nests deeper than a tree may is its source. */
export function ifRoom<N extends Nodes>(levels: number, read: ReadNode<N>): ReadNode<N> {
  return (node, source, context) =>
    context.level + levels > deepestBlock ? [plainParagraph(sourceOfNode(node, source))] : read(node, source, context);
}
