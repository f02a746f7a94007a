import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { paragraph } from '../tree/nodes.ts';
import { blockTypesWith } from '../blocks/blocks.ts';

const withContent = blockTypesWith('needsContent');

/**
 * Adds an empty paragraph to every empty container, because readers render the first child of a list item, a
 * hint or a tab unconditionally.
 */
export function fillEmpty(nodes: readonly DocumentNode[]): void {
  for (const node of nodes) {
    if (node.object !== 'block') continue;
    if (withContent.has(node.type) && !node.nodes?.length) node.nodes = [paragraph([])];
    else fillEmpty(node.nodes ?? []);
    for (const fragment of node.fragments ?? []) fillEmpty(fragment.nodes);
  }
}

/** Returns the children to write; a paragraph that only fills an empty container is dropped. */
export function writtenNodes(nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  const [only] = nodes;
  return nodes.length === 1 && only?.object === 'block' && isEmptyParagraph(only) ? [] : nodes;
}

function isEmptyParagraph({ type, data, nodes = [] }: DocumentBlock): boolean {
  return (
    type === 'paragraph' &&
    data?.['align'] === undefined &&
    nodes.every(({ object, ...node }) => object === 'text' && isBlank(node))
  );
}

function isBlank(node: object): boolean {
  return 'leaves' in node && (node.leaves as { text: string }[]).every(({ text }) => text === '');
}
