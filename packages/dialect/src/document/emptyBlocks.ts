import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { paragraph } from '../tree/nodes.ts';
import { blockTypesWith } from '../blocks/blocks.ts';

const withContent = blockTypesWith('needsContent');

/** Puts an empty paragraph into what holds nothing, wherever it stands: readers render the first node of a list item, a hint or a tab unasked. */
export function fillEmpty(nodes: readonly DocumentNode[]): void {
  for (const node of nodes) {
    if (node.object !== 'block') continue;
    if (withContent.has(node.type) && !node.nodes?.length) node.nodes = [paragraph([])];
    else fillEmpty(node.nodes ?? []);
    for (const fragment of node.fragments ?? []) fillEmpty(fragment.nodes);
  }
}

/** What a block holds, as it is written: a paragraph that only keeps it from being empty is nothing. */
export function writtenNodes(nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  const [only] = nodes;
  return nodes.length === 1 && only?.object === 'block' && isEmptyParagraph(only) ? [] : nodes;
}

function isEmptyParagraph({ type, data, nodes = [] }: DocumentBlock): boolean {
  return type === 'paragraph' && data?.['align'] === undefined && nodes.every(({ object, ...node }) => object === 'text' && isBlank(node));
}

function isBlank(node: object): boolean {
  return 'leaves' in node && (node.leaves as { text: string }[]).every(({ text }) => text === '');
}
