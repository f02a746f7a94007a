import type { DocumentBlock, DocumentNode, DocumentTree } from '@bindery/contract';
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
  const replaced = <T extends DocumentNode>(nodes: readonly T[]): T[] =>
    nodes.flatMap((node): T[] => {
      if (node.object === 'text') return [node];
      if (types.has(node.type))
        return [...replacementOf({ type: node.type, data: node.data ?? {} })] as DocumentNode[] as T[];
      const { nodes: inside, fragments } = node;
      if (!inside && !fragments) return [node];
      return [
        {
          ...node,
          ...(inside && { nodes: replaced<DocumentNode>(inside) }),
          ...(fragments && {
            fragments: fragments.map((each) => ({ ...each, nodes: replaced(each.nodes) })),
          }),
        } as T,
      ];
    });
  return { ...tree, nodes: replaced(tree.nodes) };
}
