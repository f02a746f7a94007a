import type { Located } from '../engine/document.ts';
import type { JsonObject } from '../engine/json.ts';
import type { Scope } from '../engine/scope.ts';
import { enter } from '../engine/shared.ts';
import { limits } from '../limits.ts';
import { resolveSchema } from './form/readSchema.ts';
import { isRemark } from './form/schemaForm.ts';

/** Lets two schemas be compared later, unless this pair was already compared for the same direction. */
export function pushSchemas(scope: Scope, before: Located, after: Located): void {
  // Most schemas are short and did not change; this costs far less than a comparison by rules.
  if (isSameLeaf(before.node, after.node)) return;
  const { run } = scope;
  if ((run.comparisons += 1) > limits.comparisons) {
    run.isComplete = false;
    return;
  }
  const pair = { before: resolveSchema(run.before, before), after: resolveSchema(run.after, after) };
  const entered = enter(scope, pair.before, pair.after);
  if (entered) run.queue.push({ scope: entered, ...pair });
}

/** True for two schemas with the same keywords, none of which holds a schema or reference. */
function isSameLeaf(one: JsonObject, other: JsonObject): boolean {
  if (one['$ref'] !== undefined || other['$ref'] !== undefined) return false;
  for (const keyword in one)
    if (!isSameInLeaf(one[keyword], other[keyword]) && !isRemark(keyword)) return false;
  for (const keyword in other) if (one[keyword] === undefined && !isRemark(keyword)) return false;
  return true;
}

function isSameInLeaf(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other))
    return one === other && (typeof one !== 'object' || one === null);
  return (
    one.length === other.length &&
    one.every((value, index) => value === other[index] && (typeof value !== 'object' || value === null))
  );
}
