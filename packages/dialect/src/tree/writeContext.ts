import type { DocumentNode } from '@bindery/contract';
import type { RootContent } from 'mdast';

/** What writing a part of a document needs of the whole. */
export type WriteContext = {
  targetOf(ref: unknown): string;
  /** Takes the blocks of an annotation and gives the label of its footnote. */
  addNote(blocks: DocumentNode[]): string;
  /** Blocks as nodes of Markdown, with the dialect's tags and HTML for what Markdown has no form of its own for. */
  flowOf(nodes: readonly DocumentNode[]): RootContent[];
  /** Blocks as HTML on one line, as they stand in a cell of a table. */
  htmlOfBlocks(nodes: readonly DocumentNode[]): string;
};
