import type { RuleId } from '../rules/rules.ts';
import type { Direction, Operation, Severity } from '../specificationDiff.ts';
import type { Located, SpecDocument } from './document.ts';

/** One comparison of two documents. */
export type Run = {
  before: SpecDocument;
  after: SpecDocument;
  severities: Partial<Record<string, Severity | 'off'>>;
  today: Date;
  /** Pairs of schemas that wait for their comparison. */
  queue: SchemaPair[];
  /** Pairs that were compared or wait, for each way of comparing: key of the pair -> its owner. */
  shared: Map<number, Owner>[];
  findings: Map<string, Finding>;
  comparisons: number;
  isComplete: boolean;
};

/**
 * An operation, or a pair of components behind references. Findings belong to their owner, and the parents of
 * an owner lead back to the operations that reach it.
 */
export type Owner = { parents: Set<Owner>; operation?: Operation & { order: number } };

/** The context of a comparison below a part of an operation. */
export type Scope = {
  run: Run;
  owner: Owner;
  direction: Direction;
  /** Inside of a `readOnly` property of a request, or a `writeOnly` one of a response: nobody sends it. */
  isIgnored: boolean;
  /** The schema of a parameter itself, whose default has rules of its own. */
  isParameter: boolean;
};

export type SchemaPair = { scope: Scope; before: Located; after: Located };

/** A change before its message is written and the operations are known. */
export type Finding = {
  rule: RuleId;
  severity: Severity;
  before?: string;
  after?: string;
  values: Values;
  owners: Set<Owner>;
};

/** Texts for the placeholders of a message; code spans where they hold names or values. */
export type Values = { from?: string; to?: string; name?: string };
