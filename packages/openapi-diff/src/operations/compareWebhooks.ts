import { report } from '../engine/report.ts';
import type { Run, Scope } from '../engine/scope.ts';
import { compareReceived } from './compareCallbacks.ts';
import { nameOf } from './lifecycle.ts';
import { listWebhooks, type OperationEntry } from './listOperations.ts';
import { operationScope } from './operationScope.ts';

/** Compares the webhooks of two documents by their names and methods. */
export function compareWebhooks(run: Run): void {
  const [before, after] = [byKey(listWebhooks(run.before)), byKey(listWebhooks(run.after))];
  for (const [key, old] of before) {
    const other = after.get(key);
    const scope = receivingScope(run, other ?? old);
    if (other) compareReceived(scope, { before: old.operation, after: other.operation });
    else report(scope, 'webhook-removed', { before: old.operation.pointer, name: nameOf(old) });
  }
  for (const [key, entry] of after)
    if (!before.has(key))
      report(receivingScope(run, entry), 'webhook-added', {
        after: entry.operation.pointer,
        name: nameOf(entry),
      });
}

/** The scope of a webhook, which stands behind all operations in reports. */
function receivingScope(run: Run, entry: OperationEntry): Scope {
  return {
    ...operationScope(run, { ...entry, order: entry.order + afterOperations }),
    direction: 'response',
  };
}

const afterOperations = 2 ** 30;

function byKey(entries: OperationEntry[]): Map<string, OperationEntry> {
  return new Map(entries.map((entry) => [`${entry.method} ${entry.path}`, entry]));
}
