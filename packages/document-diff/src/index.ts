/** The differences between two documents, block by block. */
export { newBudget, type Budget } from './budget.ts';
export { diffDocuments } from './diffDocuments.ts';
export { diffWords } from './diffWords.ts';
export type { BlockDiff, InnerDiff, LineDiff, PropertyDiff, RowDiff, Run } from './documentDiff.ts';
export { childrenOf, textOf } from './textOf.ts';
