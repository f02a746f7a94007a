/** The differences between two documents, block by block. */
export { diffDocuments } from './diffDocuments.ts';
export type { BlockDiff, InnerDiff, LineDiff, PropertyDiff, RowDiff, Run } from './documentDiff.ts';
export { childrenOf, textOf } from './textOf.ts';
