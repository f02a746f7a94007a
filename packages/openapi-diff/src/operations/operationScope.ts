import type { Owner, Run, Scope } from '../engine/scope.ts';
import type { OperationEntry } from './listOperations.ts';

/** The scope of an operation: of its requests, until a part says otherwise. */
export function operationScope(run: Run, { method, path, order }: OperationEntry): Scope {
  return scopeOf(run, { parents: new Set(), operation: { method, path, order } });
}

/** The scope of an owner. */
export function scopeOf(run: Run, owner: Owner): Scope {
  return { run, owner, direction: 'request', isIgnored: false, isParameter: false };
}
