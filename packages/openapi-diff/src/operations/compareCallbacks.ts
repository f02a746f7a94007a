import { child, follow, type Located } from '../engine/document.ts';
import { report } from '../engine/report.ts';
import type { Scope } from '../engine/scope.ts';
import { compareContent } from '../responses/compareContent.ts';
import { code } from '../rules/code.ts';
import type { LocatedPair } from '../schema/form/forms.ts';
import { operationsOf } from './listOperations.ts';

/**
 * Compares the callbacks of an operation by their names.
 *
 * @param scope  with the direction of what clients receive
 */
export function compareCallbacks(scope: Scope, { before, after }: LocatedPair): void {
  const place = { before: before.pointer, after: after.pointer };
  for (const name of Object.keys(before.node)) {
    if (!Object.hasOwn(after.node, name)) report(scope, 'callback-removed', { ...place, name: code(name) });
    else compareCallback(scope, { before: child(before, name), after: child(after, name) }, name);
  }
  for (const name of Object.keys(after.node))
    if (!Object.hasOwn(before.node, name)) report(scope, 'callback-added', { ...place, name: code(name) });
}

function compareCallback(scope: Scope, located: LocatedPair, name: string): void {
  const before = follow(scope.run.before, located.before);
  const after = follow(scope.run.after, located.after);
  const now = operationsOf(scope.run.after, after);
  for (const old of operationsOf(scope.run.before, before)) {
    const other = now.find(({ method, path }) => method === old.method && path === old.path);
    if (other) compareReceived(scope, { before: old.operation, after: other.operation });
    else
      report(scope, 'callback-removed', {
        before: old.operation.pointer,
        after: after.pointer,
        name: code(`${name}: ${old.method.toUpperCase()} ${old.path}`),
      });
  }
}

/** Compares requests that the API sends: clients receive their bodies, and answer. */
export function compareReceived(scope: Scope, { before, after }: LocatedPair): void {
  compareContent(scope, { before: bodyOf(scope, 'before', before), after: bodyOf(scope, 'after', after) });
}

function bodyOf({ run }: Scope, side: 'before' | 'after', operation: Located): Located {
  return follow(run[side], child(operation, 'requestBody'));
}
