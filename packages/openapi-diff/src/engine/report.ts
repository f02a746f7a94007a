import { limits } from '../limits.ts';
import { rules, type RuleId, type SchemaRule } from '../rules/rules.ts';
import type { Scope, Values } from './scope.ts';

/** The place of a finding: JSON pointers into the documents, absent on the side without the part. */
type Found = Values & { before?: string | undefined; after?: string | undefined };

/**
 * Adds a finding. The same rule at the same two places is one finding, however many ways lead there; its
 * owners grow instead.
 */
export function report({ run, owner, isIgnored }: Scope, rule: RuleId, found: Found): void {
  const { before, after, ...values } = found;
  const chosen = run.severities[rule] ?? rules[rule].severity;
  if (chosen === 'off') return;
  const severity = isIgnored ? 'info' : chosen;
  const key = `${rule}\n${before}\n${after}\n${values.name}\n${severity}`;
  const known = run.findings.get(key);
  if (known) {
    known.owners.add(owner);
    return;
  }
  if (run.findings.size >= limits.changes) {
    run.isComplete = false;
    return;
  }
  run.findings.set(key, {
    rule,
    severity,
    before,
    after,
    values,
    owners: new Set([owner]),
  });
}

/** Adds a finding of a rule that each direction has. */
export function reportSchema(scope: Scope, rule: SchemaRule, found: Found): void {
  report(scope, `${scope.direction}-${rule}`, found);
}
