import type { DocumentNode } from '@bindery/contract';
import type { Block } from '../blocks/block.ts';
import { blocks } from '../blocks/blocks.ts';
import { renderInlines } from '../inline/renderInlines.ts';
import type { Html } from '../tree/html.ts';
import type { RenderContext } from '../tree/renderContext.ts';

/** Renders blocks as semantic HTML, each in the form of its type, and inlines as the words of a line. */
export function renderNodes(nodes: readonly DocumentNode[], context: RenderContext): Html {
  return nodes.map((node) => {
    if (node.object !== 'block') return renderInlines([node], context);
    const { render }: Block = blocks[node.type];
    return render({ ...node, data: node.data ?? {}, nodes: node.nodes ?? [] }, context);
  });
}
