import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import type { Nodes, RootContent } from 'mdast';
import type { LinkUse } from '../links/resolve.ts';
import type { TagSyntax } from '../syntax/blockTags.ts';
import type { Element } from '../syntax/elements.ts';
import type { Html } from '../tree/html.ts';
import type { Data } from '../tree/nodes.ts';
import type { ParseContext } from '../tree/parseContext.ts';
import type { RenderContext } from '../tree/renderContext.ts';
import type { WriteContext } from '../tree/writeContext.ts';

/** The complete definition of one block type in the dialect. */
export type Block = {
  /** The tags that are read as this block, by name. */
  tags?: Readonly<Record<string, Tag>>;
  /** The HTML elements that are read as this block, by name. */
  elements?: Readonly<Record<string, ReadElement>>;
  /** The Markdown nodes that are read as this block, by type. */
  nodes?: NodeReaders;
  write: WriteBlock;
  /**
   * Writes HTML on one line, for the cell of a table. Without it, a cell shows a link to the block's
   * reference, and its text.
   */
  writeHtml?: WriteHtml;
  /** Makes HTML for readers. A block whose parent renders it has this form when it stands alone. */
  render: RenderBlock;
  /** The use of `data.ref`. */
  refersTo?: LinkUse;
  /** A container of other blocks only. Shrinking a tree keeps it and replaces blocks inside by their text. */
  isContainer?: true;
  /** Readers of the tree expect a block in it, so an empty one gets an empty paragraph. */
  needsContent?: true;
};

/** Without `read`, the tag is text, followed by its content. */
export type Tag = TagSyntax & { read?: ReadElement };

/** Reads a tag or an element. One with missing data, or nested too deep, becomes text. */
export type ReadElement = (element: Element, context: ParseContext) => DocumentBlock[];

export type ReadNode<N extends Nodes = Nodes> = (
  node: N,
  source: string,
  context: ParseContext,
) => DocumentBlock[];
export type NodeReaders = { readonly [Type in Nodes['type']]?: ReadNode<Extract<Nodes, { type: Type }>> };

/** A block whose data and nodes may be read without asking whether they are there. */
export type FullBlock = DocumentBlock & { data: Data; nodes: DocumentNode[] };

/** Writes the block as Markdown nodes, using tags and HTML where Markdown has no form. */
export type WriteBlock = (block: FullBlock, context: WriteContext) => RootContent[];

export type RenderBlock = (block: FullBlock, context: RenderContext) => Html;

type WriteHtml = (block: DocumentBlock, context: WriteContext) => string;
