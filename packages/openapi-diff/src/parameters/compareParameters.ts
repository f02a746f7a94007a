import { report } from '../engine/report.ts';
import type { Scope } from '../engine/scope.ts';
import { enter } from '../engine/shared.ts';
import type { OperationPair } from '../operations/matchOperations.ts';
import { code } from '../rules/code.ts';
import { compareParameter } from './compareParameter.ts';
import { listParameters, type Parameter } from './listParameters.ts';

/** Compares the parameters of an operation. */
export function compareParameters(scope: Scope, { before, after }: OperationPair): void {
  const old = listParameters(scope.run.before, before);
  const now = listParameters(scope.run.after, after);
  const removed = [...old.values()].filter(({ key }) => !now.has(key));
  const added = [...now.values()].filter(({ key }) => !old.has(key));
  for (const [key, parameter] of old) {
    const other = now.get(key);
    if (other) enterParameter(scope, parameter, other);
  }
  for (const parameter of removed) {
    const moved = added.findIndex(({ name }) => name.toLowerCase() === parameter.name.toLowerCase());
    const [other] = moved === -1 ? [] : added.splice(moved, 1);
    if (other) reportMoved(scope, parameter, other);
    else reportRemoved(scope, parameter);
  }
  for (const { located } of added) {
    const rule = isRequired(located) ? 'parameter-added-required' : 'parameter-added-optional';
    report(scope, rule, { after: located.pointer });
  }
}

function enterParameter(scope: Scope, before: Parameter, after: Parameter): void {
  const entered = enter(scope, before.located, after.located);
  if (entered) compareParameter(entered, { before: before.located, after: after.located });
}

function reportMoved(scope: Scope, before: Parameter, after: Parameter): void {
  report(scope, 'parameter-location-changed', {
    before: before.located.pointer,
    after: after.located.pointer,
    from: before.in,
    to: after.in,
    name: code(after.name),
  });
}

function reportRemoved(scope: Scope, { located }: Parameter): void {
  const rule = located.node['deprecated'] === true ? 'parameter-removed-deprecated' : 'parameter-removed';
  report(scope, rule, { before: located.pointer });
}

function isRequired({ node }: Parameter['located']): boolean {
  return node['required'] === true || node['in'] === 'path';
}
