import { openDocument } from './engine/document.ts';
import { createReach } from './engine/reach.ts';
import type { Finding, Run } from './engine/scope.ts';
import { limits } from './limits.ts';
import { messageOf } from './messages/messageOf.ts';
import { placeOf } from './messages/placeOf.ts';
import { compareOperation } from './operations/compareOperation.ts';
import { compareWebhooks } from './operations/compareWebhooks.ts';
import { reportAddedOperation, reportRemovedOperation } from './operations/lifecycle.ts';
import { listOperations, rootOf } from './operations/listOperations.ts';
import { matchOperations } from './operations/matchOperations.ts';
import { operationScope, scopeOf } from './operations/operationScope.ts';
import { basePathOf, compareServers } from './operations/servers.ts';
import { rules } from './rules/rules.ts';
import { compareSchema } from './schema/compareSchema.ts';
import { renamedSchemes } from './security/compareSchemes.ts';
import type { Change, Severity, SpecificationDiff } from './specificationDiff.ts';

export type CompareOptions = {
  /** Severities by rule id that replace those of `rules`; `off` drops the changes of a rule. */
  severities?: Partial<Record<string, Severity | 'off'>>;
  /** Decides which sunset dates are still to come. */
  today?: Date;
};

/**
 * Compares two OpenAPI documents of version 3.x and tells which clients of the first one fail with the
 * second. A change of a shared component is one change, with the operations that reach it.
 *
 * Time and memory grow with the size of the documents; `limits` bounds both for hostile ones.
 *
 * @param before  the older document, as JSON.parse gives it; neither is changed
 * @throws RangeError  for a severity of an unknown rule
 */
export function compareSpecifications(
  before: object,
  after: object,
  { severities = {}, today = new Date() }: CompareOptions = {},
): SpecificationDiff {
  for (const id of Object.keys(severities))
    if (!Object.hasOwn(rules, id))
      throw new RangeError(`There is no rule ${id}; docs/openapi-diff.md lists the rules.`);
  const run: Run = {
    before: openDocument(before),
    after: openDocument(after),
    severities,
    today,
    queue: [],
    shared: [],
    findings: new Map(),
    comparisons: 0,
    isComplete: true,
  };
  compareOperations(run);
  compareWebhooks(run);
  for (let pair = run.queue.pop(); pair; pair = run.queue.pop()) compareSchema(pair);
  return diffOf(run);
}

function compareOperations(run: Run): void {
  const roots = { before: rootOf(run.before), after: rootOf(run.after) };
  const { pairs, removed, added, isMoved } = matchOperations(
    { before: listOperations(run.before), after: listOperations(run.after) },
    { before: basePathOf(roots.before), after: basePathOf(roots.after) },
  );
  const aliases = renamedSchemes(run);
  compareServers(scopeOf(run, { parents: new Set() }), { ...roots, isMoved });
  for (const entry of removed) reportRemovedOperation(operationScope(run, entry), entry);
  for (const pair of pairs) compareOperation(run, pair, aliases);
  for (const entry of added) reportAddedOperation(operationScope(run, entry), entry);
}

/** The findings as changes: breaking ones first, then in the order of the operations and by place. */
function diffOf(run: Run): SpecificationDiff {
  const reach = createReach();
  const changes = run.findings
    .values()
    .map((finding) => ({ operations: reach(finding.owners), finding }))
    .toArray()
    .sort(
      (a, b) =>
        severityOrder.indexOf(a.finding.severity) - severityOrder.indexOf(b.finding.severity) ||
        (a.operations[0]?.order ?? -1) - (b.operations[0]?.order ?? -1) ||
        compareTexts(pointerOf(a.finding), pointerOf(b.finding)),
    )
    .map(({ operations, finding }) => changeOf(run, finding, operations));
  const counts = { breaking: 0, warning: 0, info: 0 };
  for (const { severity } of changes) counts[severity] += 1;
  return { changes, counts, isComplete: run.isComplete };
}

function changeOf(run: Run, finding: Finding, operations: { method: string; path: string }[]): Change {
  const { rule, severity, before, after } = finding;
  const { direction } = rules[rule];
  const { place, subject } = placeOf(run, finding);
  return {
    rule,
    severity,
    direction,
    place,
    pointer: { before, after },
    operations: operations.slice(0, limits.operationsOfChange).map(({ method, path }) => ({ method, path })),
    operationCount: operations.length,
    message: messageOf(rules[rule].message, { place: subject, ...finding.values }),
  };
}

function pointerOf({ before = '', after = before }: Finding): string {
  return after;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

const severityOrder: readonly Severity[] = ['breaking', 'warning', 'info'];
