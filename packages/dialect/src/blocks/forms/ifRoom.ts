import type { Nodes } from 'mdast';
import { sourceOfNode } from '../../syntax/sourceOfNode.ts';
import { deepestBlock } from '../../tree/limits.ts';
import { plainParagraph } from '../../tree/nodes.ts';
import type { ReadNode } from '../block.ts';

/**
 * Returns a reader for a Markdown node that adds this many levels to the tree; a node that would exceed the
 * depth limit becomes its source text.
 */
export function ifRoom<N extends Nodes>(levels: number, read: ReadNode<N>): ReadNode<N> {
  return (node, source, context) =>
    context.level + levels > deepestBlock
      ? [plainParagraph(sourceOfNode(node, source))]
      : read(node, source, context);
}
