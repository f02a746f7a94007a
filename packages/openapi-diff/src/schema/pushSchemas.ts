import type { Located } from '../engine/document.ts';
import type { Scope } from '../engine/scope.ts';
import { enter } from '../engine/shared.ts';
import { limits } from '../limits.ts';
import { resolveSchema } from './form/readSchema.ts';

/** Lets two schemas be compared later, unless this pair was already compared for the same direction. */
export function pushSchemas(scope: Scope, before: Located, after: Located): void {
  const { run } = scope;
  if ((run.comparisons += 1) > limits.comparisons) {
    run.isComplete = false;
    return;
  }
  const pair = { before: resolveSchema(run.before, before), after: resolveSchema(run.after, after) };
  const entered = enter(scope, pair.before, pair.after);
  if (entered) run.queue.push({ scope: entered, ...pair });
}
