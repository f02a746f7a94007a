import type { DocumentNode } from '@bindery/contract';
import type { RootContent } from 'mdast';

/** The context of writing a part of a document. */
export type WriteContext = {
  targetOf(ref: unknown): string;
  /** Adds the blocks of an annotation, and returns the label of its footnote. */
  addNote(blocks: DocumentNode[]): string;
  /** Writes blocks as Markdown nodes, using the dialect's tags and HTML where Markdown has no form. */
  flowOf(nodes: readonly DocumentNode[]): RootContent[];
  /** Writes blocks as HTML on one line, the form for a cell of a table. */
  htmlOfBlocks(nodes: readonly DocumentNode[]): string;
};
