import type { DocumentBlock, DocumentTree } from '@bindery/contract';
import { align } from './align.ts';
import type { Member } from './member.ts';
import { newBudget, type Budget } from './budget.ts';
import { diffTable } from './diffTable.ts';
import { diffWords } from './diffWords.ts';
import type { BlockDiff, InnerDiff, LineDiff, PropertyDiff } from './documentDiff.ts';
import { canonical, signatureOf } from './signatureOf.ts';
import { childrenOf, textOf } from './textOf.ts';

/**
 * Compares two documents block by block, and changed blocks by their words, lines, rows or blocks.
 *
 * Takes some milliseconds for usual pages. Its work is bounded for any other: blocks that differ too much are
 * replaced as a whole.
 */
export function diffDocuments(
  before: DocumentTree | undefined,
  after: DocumentTree | undefined,
): BlockDiff[] {
  return diffBlocks(before?.nodes ?? [], after?.nodes ?? [], newBudget());
}

function diffBlocks(
  before: readonly DocumentBlock[],
  after: readonly DocumentBlock[],
  budget: Budget,
): BlockDiff[] {
  return align(before.map(memberOf), after.map(memberOf), budget).map((step) =>
    step.kind === 'changed' ? changeOf(step.before, step.after, budget) : step,
  );
}

function memberOf(block: DocumentBlock): Member<DocumentBlock> {
  // A paragraph may become a heading.
  const kind = hasWords(block) ? 'words' : block.type;
  return { value: block, signature: signatureOf(block), kind, text: () => textOf(block) };
}

function changeOf(before: DocumentBlock, after: DocumentBlock, budget: Budget): BlockDiff {
  const properties = before.type === after.type ? propertiesOf(before, after) : [];
  return { kind: 'changed', before, after, properties, inner: innerOf(before, after, budget) };
}

function innerOf(before: DocumentBlock, after: DocumentBlock, budget: Budget): InnerDiff {
  if (before.type === 'table') return { kind: 'rows', rows: diffTable(before, after, budget) };
  if (before.type === 'code') return { kind: 'lines', lines: diffLines(before, after, budget) };
  if (hasWords(before)) return { kind: 'words', runs: diffWords(textOf(before), textOf(after), budget) };
  const [old, now] = [blocksIn(before), blocksIn(after)];
  if (old.length + now.length === 0) return { kind: 'nothing' };
  return { kind: 'blocks', blocks: diffBlocks(old, now, budget) };
}

/** Whether a block has text rather than blocks. */
function hasWords({ type }: DocumentBlock): boolean {
  return type === 'paragraph' || type === 'code-line' || type.startsWith('heading-');
}

function blocksIn(block: DocumentBlock): DocumentBlock[] {
  return childrenOf(block).filter((node) => node.object === 'block');
}

function diffLines(before: DocumentBlock, after: DocumentBlock, budget: Budget): LineDiff[] {
  const linesOf = (block: DocumentBlock) =>
    (block.nodes ?? []).map(textOf).map((text): Member<string> => ({
      value: text,
      signature: text,
      kind: 'line',
      text: () => text,
    }));
  return align(linesOf(before), linesOf(after), budget).map((step) =>
    step.kind === 'changed'
      ? { kind: step.kind, runs: diffWords(step.before, step.after, budget) }
      : { kind: step.kind, text: 'before' in step ? step.before : step.after },
  );
}

/** The fields that differ, without those that are the content of a table. */
function propertiesOf(before: DocumentBlock, after: DocumentBlock): PropertyDiff[] {
  const content = before.type === 'table' ? ['records', 'definition'] : [];
  const [old, now] = [before.data ?? {}, after.data ?? {}];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => !content.includes(name) && canonical(old[name]) !== canonical(now[name]))
    .map((name) => ({ name, before: written(old[name]), after: written(now[name]) }));
}

function written(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : canonical(value);
}
