import { child, follow, type Located } from '../engine/document.ts';
import { report } from '../engine/report.ts';
import type { Scope } from '../engine/scope.ts';
import { enter } from '../engine/shared.ts';
import type { OperationPair } from '../operations/matchOperations.ts';
import { code } from '../rules/code.ts';
import type { LocatedPair } from '../schema/form/forms.ts';
import { compareContent } from './compareContent.ts';
import { compareHeaders } from './compareHeaders.ts';

/** Compares the responses of an operation by their status; a range such as `2XX` covers a status. */
export function compareResponses(scope: Scope, pair: OperationPair): void {
  const [before, after] = [responsesOf(pair.before.operation), responsesOf(pair.after.operation)];
  const place = { before: before.pointer, after: after.pointer };
  for (const status of statusesOf(before)) {
    const other = findStatus(after, status);
    const values = {
      from: code(status),
      name: code(status),
      to: other === undefined ? undefined : code(other),
    };
    if (other === undefined) report(scope, removalOf(status), { ...place, ...values });
    else if (other !== status && !isRange(status))
      report(scope, 'response-status-generalized', { ...place, ...values });
    if (other !== undefined)
      compareResponse(scope, {
        before: follow(scope.run.before, child(before, status)),
        after: follow(scope.run.after, child(after, other)),
      });
  }
  for (const status of statusesOf(after))
    if (findStatus(before, status) === undefined && !isCovering(before, status))
      report(scope, 'response-added', { ...place, to: code(status), name: code(status) });
}

function compareResponse(scope: Scope, { before, after }: LocatedPair): void {
  const entered = enter(scope, before, after);
  if (!entered) return;
  compareContent(entered, { before, after });
  compareHeaders(entered, { before, after });
}

function responsesOf(operation: Located): Located {
  return child(operation, 'responses');
}

function statusesOf({ node }: Located): string[] {
  return Object.keys(node).filter((status) => !status.startsWith('x-'));
}

/** The key of a status: itself, or the range that covers it. */
function findStatus({ node }: Located, status: string): string | undefined {
  const keys = Object.keys(node);
  const wanted = status.toUpperCase();
  return (
    keys.find((key) => key.toUpperCase() === wanted) ??
    keys.find((key) => isRange(key) && /^\d/.test(status) && key[0] === status[0])
  );
}

/** True for a range of statuses of which some were described one by one before. */
function isCovering({ node }: Located, status: string): boolean {
  return isRange(status) && Object.keys(node).some((key) => key[0] === status[0]);
}

function isRange(status: string): boolean {
  return /^[1-5]XX$/i.test(status);
}

function removalOf(
  status: string,
): 'response-default-removed' | 'response-success-removed' | 'response-other-removed' {
  if (status === 'default') return 'response-default-removed';
  return status.startsWith('2') ? 'response-success-removed' : 'response-other-removed';
}
