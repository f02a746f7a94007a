import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import type { RootContent } from 'mdast';
import type { Block } from '../blocks/block.ts';
import { blocks } from '../blocks/blocks.ts';
import { htmlOfOther } from '../blocks/forms/cell.ts';
import { htmlOfInlines } from '../inline/writeHtml.ts';
import { phrasingOf } from '../inline/writeInlines.ts';
import type { WriteContext } from '../tree/writeContext.ts';
import { writtenNodes } from './emptyBlocks.ts';

/** Writes blocks as Markdown nodes, each in the form of its type. */
export function flowOf(nodes: readonly DocumentNode[], context: WriteContext): RootContent[] {
  return writtenNodes(nodes).flatMap((node): RootContent[] => {
    if (node.object !== 'block') return [{ type: 'paragraph', children: phrasingOf([node], context) }];
    return formsOf(node).write({ ...node, data: node.data ?? {}, nodes: node.nodes ?? [] }, context);
  });
}

/** Writes blocks as HTML on one line. */
export function htmlOfBlocks(nodes: readonly DocumentNode[], context: WriteContext): string {
  return writtenNodes(nodes)
    .map((node) =>
      node.object === 'block'
        ? (formsOf(node).writeHtml ?? htmlOfOther)(node, context)
        : htmlOfInlines([node], context),
    )
    .join('');
}

function formsOf({ type }: DocumentBlock): Block {
  return blocks[type];
}
