import type { Located } from '../engine/document.ts';
import type { Scope } from '../engine/scope.ts';
import { enter } from '../engine/shared.ts';
import { limits } from '../limits.ts';
import { resolveSchema } from './form/readSchema.ts';
import { isUnchanged, type ReferencePair } from './isUnchanged.ts';

/** Lets two schemas be compared later, unless this pair was already compared for the same direction. */
export function pushSchemas(scope: Scope, before: Located, after: Located): void {
  const { run } = scope;
  if ((run.comparisons += 1) > limits.comparisons) {
    run.isComplete = false;
    return;
  }
  if (before.node['$ref'] === undefined && passUnchanged(scope, before, after)) return;
  const pair = { before: resolveSchema(run.before, before), after: resolveSchema(run.after, after) };
  const entered = enter(scope, pair.before, pair.after);
  if (entered) run.queue.push({ scope: entered, ...pair });
}

/** For two schemas that did not change, lets only those be compared that they refer to. */
export function passUnchanged(scope: Scope, before: Located, after: Located): boolean {
  const references: ReferencePair[] = [];
  if (!isUnchanged(before.node, after.node, references)) return false;
  for (const [one, other] of references)
    pushSchemas(scope, { node: one, pointer: before.pointer }, { node: other, pointer: after.pointer });
  return true;
}
