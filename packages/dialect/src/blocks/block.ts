import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import type { Nodes, RootContent } from 'mdast';
import type { LinkUse } from '../links/resolve.ts';
import type { TagSyntax } from '../syntax/blockTags.ts';
import type { Element } from '../syntax/elements.ts';
import type { Data } from '../tree/nodes.ts';
import type { ParseContext } from '../tree/parseContext.ts';
import type { WriteContext } from '../tree/writeContext.ts';

/** All that the dialect knows about one block type. */
export type Block = {
  /** The tags that are read as this block, by their names. */
  tags?: Readonly<Record<string, Tag>>;
  /** The elements of HTML that are read as this block, by their names. */
  elements?: Readonly<Record<string, ReadElement>>;
  /** The nodes of Markdown that are read as this block, by their types. */
  nodes?: NodeReaders;
  write: WriteBlock;
  /** HTML on one line, for the cell of a table. Without it, a cell shows a link to what the block refers to, and its words. */
  writeHtml?: WriteHtml;
  /** How `data.ref` is used. */
  refersTo?: LinkUse;
  /** Holds other blocks and nothing else. Where a tree is too large it stays, and blocks in it become their words. */
  isContainer?: true;
  /** Readers of the tree expect a block in it: an empty one gets an empty paragraph. */
  needsContent?: true;
};

/** Without `read`, the tag is text, and its content stands after it. */
export type Tag = TagSyntax & { read?: ReadElement };

/** Reads a tag or an element. What lacks what it needs, or nests too deep, is text. */
export type ReadElement = (element: Element, context: ParseContext) => DocumentBlock[];

export type ReadNode<N extends Nodes = Nodes> = (node: N, source: string, context: ParseContext) => DocumentBlock[];
export type NodeReaders = { readonly [Type in Nodes['type']]?: ReadNode<Extract<Nodes, { type: Type }>> };

/** The block as nodes of Markdown, with tags and HTML for what Markdown has no form of its own for. */
export type WriteBlock = (block: DocumentBlock & { data: Data; nodes: DocumentNode[] }, context: WriteContext) => RootContent[];

type WriteHtml = (block: DocumentBlock, context: WriteContext) => string;
