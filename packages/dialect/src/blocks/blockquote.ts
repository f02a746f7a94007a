import { element } from '../tree/html.ts';
import type { DocumentBlock } from '@bindery/contract';
import { htmlElement } from '../syntax/writeTags.ts';
import { contained } from '../tree/containers.ts';
import { deepestBlock } from '../tree/limits.ts';
import { block } from '../tree/nodes.ts';
import { blocksOf, deeper } from '../tree/parseContext.ts';
import type { Block } from './block.ts';
import { ifRoom } from './forms/ifRoom.ts';

export const blockquote: Block = {
  nodes: {
    blockquote: ifRoom(2, ({ children }, source, context) =>
      quote(context.page.childrenOf(children, source, { ...deeper(context, 2), isQuoted: true })),
    ),
  },
  elements: {
    blockquote: ({ children }, context) =>
      context.level + 2 > deepestBlock
        ? blocksOf(children, context)
        : quote(blocksOf(children, deeper(context, 2))),
  },
  write: ({ nodes }, context) => [{ type: 'blockquote', children: context.flowOf(nodes) as never }],
  writeHtml: ({ nodes = [] }, context) => htmlElement('blockquote', context.htmlOfBlocks(nodes)),
  render: ({ nodes }, context) => element('blockquote', {}, context.render(nodes)),
  needsContent: true,
};

function quote(blocks: DocumentBlock[]): DocumentBlock[] {
  return contained(blocks, { container: 'blockquote', make: (nodes) => block('blockquote', { nodes }) });
}
