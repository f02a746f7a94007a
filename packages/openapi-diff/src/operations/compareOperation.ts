import { compareBodies } from '../bodies/compareBody.ts';
import { child } from '../engine/document.ts';
import type { Run, Scope } from '../engine/scope.ts';
import { compareParameters } from '../parameters/compareParameters.ts';
import { compareResponses } from '../responses/compareResponses.ts';
import { compareSecurity } from '../security/compareSecurity.ts';
import { compareCallbacks } from './compareCallbacks.ts';
import { compareLifecycle, compareParameterNames } from './lifecycle.ts';
import type { OperationPair } from './matchOperations.ts';
import { operationScope } from './operationScope.ts';
import { compareServers } from './servers.ts';

/** Compares two descriptions of one operation. */
export function compareOperation(run: Run, pair: OperationPair, aliases: ReadonlyMap<string, string>): void {
  const scope = operationScope(run, pair.after);
  const response: Scope = { ...scope, direction: 'response' };
  compareLifecycle(scope, pair);
  compareParameterNames(scope, pair);
  compareOwnServers(scope, pair);
  compareSecurity(scope, pair, aliases);
  compareParameters(scope, pair);
  compareBodies(scope, pair);
  compareResponses(response, pair);
  compareCallbacks(response, {
    before: child(pair.before.operation, 'callbacks'),
    after: child(pair.after.operation, 'callbacks'),
  });
}

/** Compares servers that an operation or path item names instead of those of the document. */
function compareOwnServers(scope: Scope, { before, after }: OperationPair): void {
  for (const part of ['operation', 'item'] as const) {
    const [one, other] = [before[part], after[part]];
    if (one.node['servers'] === undefined || other.node['servers'] === undefined) continue;
    compareServers(scope, { before: one, after: other });
  }
}
