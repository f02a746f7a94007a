import {
  blockTypes,
  inlineTypes,
  type BlockType,
  type Content,
  type InlineType,
  type NodeStructure,
} from './documentStructure.ts';

// Without schemas, which take a third of the start of a thread that parses documents.

/** All types; a mark of a text is none. */
export const nodeTypes: Readonly<Record<BlockType | InlineType, NodeStructure>> = {
  ...blockTypes,
  ...inlineTypes,
};
const blocks: [name: string, type: NodeStructure][] = Object.entries(blockTypes);
const blocksOf = (group: NodeStructure['group']) =>
  blocks.flatMap(([name, type]) => (type.group === group ? [name] : []));

/** The types of the groups that a container may name. */
const groups: Readonly<Record<string, readonly string[]>> = {
  inline: ['text', ...Object.keys(inlineTypes)],
  essential: blocksOf('essential'),
  common: blocksOf('common'),
  'top-level': blocks.flatMap(([name, { group }]) => (group ? [name] : [])),
  any: Object.keys(blockTypes),
};

/** Tells whether names of types and groups include a type. */
export function permits(of: Content['of'], type: string): boolean {
  return of.some((name) => name === type || groups[name]?.includes(type));
}

/** Tells whether a block of this type contains neither blocks nor text of its own. */
export function isVoidBlock(type: BlockType): boolean {
  return nodeTypes[type].contains === undefined;
}

/**
 * Tells whether a type of block may be at the top, in another block, or in a fragment, by the rules that
 * validate a tree.
 */
export function mayStandIn(
  container: BlockType | 'top' | 'expandable-body' | 'annotation-body' | 'cell',
  type: BlockType,
): boolean {
  if (container === 'top') return permits(['top-level'], type);
  if (container === 'cell') return true;
  return permits(contentOf(container)?.of ?? [], type);
}

function contentOf(container: BlockType | 'expandable-body' | 'annotation-body'): Content | undefined {
  if (container === 'expandable-body') return blockTypes.expandable.fragments[container];
  if (container === 'annotation-body') return inlineTypes.annotation.fragments[container];
  return nodeTypes[container].contains;
}

/** A document without any content. */
export const emptyDocument: { object: 'document'; data: { schemaVersion: number }; nodes: never[] } = {
  object: 'document',
  data: { schemaVersion: 1 },
  nodes: [],
};
