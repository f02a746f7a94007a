import type { DocumentBlock } from '@bindery/contract';

/** A piece of text that both sides have, or only one. */
export type Run = { kind: 'same' | 'removed' | 'added'; text: string };

/** A line of code. */
export type LineDiff =
  | { kind: 'same' | 'removed' | 'added' | 'moved-from' | 'moved-to'; text: string }
  | { kind: 'changed'; runs: Run[] };

/** A row of a table; the first one has the titles of the columns. */
export type RowDiff =
  | { kind: 'same' | 'removed' | 'added' | 'moved-from' | 'moved-to'; cells: string[] }
  | { kind: 'changed'; cells: Run[][] };

/** A field of `data` that differs, as text; undefined on a side without it. */
export type PropertyDiff = { name: string; before: string | undefined; after: string | undefined };

/** The differences inside a block. `nothing`: the block has no content that can differ. */
export type InnerDiff =
  | { kind: 'words'; runs: Run[] }
  | { kind: 'lines'; lines: LineDiff[] }
  | { kind: 'rows'; rows: RowDiff[] }
  | { kind: 'blocks'; blocks: BlockDiff[] }
  | { kind: 'nothing' };

/**
 * One step from the blocks of one document to those of another, in the order in which a reader meets them. A
 * moved block occurs twice: where it was, and where it is.
 *
 * The blocks `before` of all steps, in order, are those of the old document; the blocks `after` are those of
 * the new one.
 */
export type BlockDiff =
  | { kind: 'same'; before: DocumentBlock; after: DocumentBlock }
  | { kind: 'removed' | 'moved-from'; before: DocumentBlock }
  | { kind: 'added' | 'moved-to'; after: DocumentBlock }
  | {
      kind: 'changed';
      before: DocumentBlock;
      after: DocumentBlock;
      properties: PropertyDiff[];
      inner: InnerDiff;
    };
