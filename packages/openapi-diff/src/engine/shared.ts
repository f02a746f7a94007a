import { idOf, type Located } from './document.ts';
import type { Owner, Scope } from './scope.ts';

/**
 * Enters a pair of components. The first time, returns the scope in which to compare them; later only notes
 * that the current owner leads there too, and returns undefined. Inline pairs have one parent, and are
 * compared in its scope.
 */
export function enter(scope: Scope, before: Located, after: Located): Scope | undefined {
  if (!before.isShared && !after.isShared) return scope;
  const { run, direction, isIgnored, isParameter } = scope;
  const way = (direction === 'request' ? 0 : 4) + (isIgnored ? 2 : 0) + (isParameter ? 1 : 0);
  const owners = (run.shared[way] ??= new Map<number, Owner>());
  const key = idOf(run.before, before.node) * 2 ** 26 + idOf(run.after, after.node);
  const known = owners.get(key);
  if (known) {
    known.parents.add(scope.owner);
    return undefined;
  }
  const owner: Owner = { parents: new Set([scope.owner]) };
  owners.set(key, owner);
  return { ...scope, owner };
}
