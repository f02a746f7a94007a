import type { DocumentBlock, DocumentNode, DocumentTree } from '@bindery/contract';
import { withInside } from '../tree/nodes.ts';
import type { OpenapiBlock } from './blockTargets.ts';

const types = new Set<string>(['openapi-operation', 'openapi-schemas', 'openapi-webhook']);

/** Lists the blocks of a document that show parts of specifications. */
export function openapiBlocksIn({ nodes }: DocumentTree): OpenapiBlock[] {
  const found: OpenapiBlock[] = [];
  const open: DocumentNode[] = nodes.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.object === 'text') continue;
    if (types.has(node.type)) found.push({ type: node.type, data: node.data ?? {} });
    for (const fragment of node.fragments?.toReversed() ?? []) open.push(...fragment.nodes.toReversed());
    open.push(...(node.nodes?.toReversed() ?? []));
  }
  return found;
}

/**
 * Replaces these blocks by others, such as their descriptions, wherever they are.
 *
 * @param replacementOf  called in the order of `openapiBlocksIn`
 */
export function replaceOpenapiBlocks(
  tree: DocumentTree,
  replacementOf: (block: OpenapiBlock) => readonly DocumentBlock[],
): DocumentTree {
  const replaced = (nodes: readonly DocumentNode[]): DocumentNode[] =>
    nodes.flatMap((node): readonly DocumentNode[] => {
      if (node.object === 'text') return [node];
      if (types.has(node.type)) return replacementOf({ type: node.type, data: node.data ?? {} });
      return [node.nodes || node.fragments ? withInside(node, replaced) : node];
    });
  return { ...tree, nodes: replaced(tree.nodes) as DocumentBlock[] };
}
