import { report } from '../engine/report.ts';
import { sortedTexts, textOf } from '../engine/json.ts';
import type { Scope } from '../engine/scope.ts';
import { code, codes } from '../rules/code.ts';
import { isSameValue } from '../schema/sameSchema.ts';
import type { OperationEntry } from './listOperations.ts';
import type { OperationPair } from './matchOperations.ts';
import { pathParameters } from './pathTemplate.ts';

/** Reports an operation that is no longer there. */
export function reportRemovedOperation(scope: Scope, entry: OperationEntry): void {
  const { node, pointer } = entry.operation;
  const found = { before: pointer, name: nameOf(entry) };
  const sunset = dateOf(node['x-sunset']);
  if (node['deprecated'] !== true) report(scope, 'operation-removed', found);
  else if (sunset !== undefined && sunset > scope.run.today)
    report(scope, 'operation-removed-before-sunset', { ...found, from: code(node['x-sunset']) });
  else report(scope, 'operation-removed-deprecated', found);
}

export function reportAddedOperation(scope: Scope, entry: OperationEntry): void {
  report(scope, 'operation-added', { after: entry.operation.pointer, name: nameOf(entry) });
}

/** Compares the names of an operation, and what it says about its future. */
export function compareLifecycle(scope: Scope, pair: OperationPair): void {
  const [before, after] = [pair.before.operation, pair.after.operation];
  const found = { before: before.pointer, after: after.pointer, name: nameOf(pair.after) };
  const values = (keyword: string) => ({ from: code(before.node[keyword]), to: code(after.node[keyword]) });
  const isDeprecated = after.node['deprecated'] === true;
  if (isDeprecated !== (before.node['deprecated'] === true))
    report(scope, isDeprecated ? 'operation-deprecated' : 'operation-reactivated', found);
  if (isDeprecated) compareSunset(scope, { from: before.node, to: after.node, found });
  if (stabilityOf(after.node) < stabilityOf(before.node))
    report(scope, 'operation-stability-decreased', { ...found, ...values('x-stability-level') });
  if (before.node['operationId'] !== after.node['operationId'])
    report(scope, 'operation-id-changed', { ...found, ...values('operationId') });

  const tags = ({ node }: typeof before) => sortedTexts(node['tags']);
  if (!isSameValue(tags(before), tags(after)))
    report(scope, 'operation-tags-changed', { ...found, from: codes(tags(before)), to: codes(tags(after)) });
}

/** Reports path parameters with a new name, which only readers of the document notice. */
export function compareParameterNames(scope: Scope, { before, after }: OperationPair): void {
  const names = pathParameters(after.path);
  pathParameters(before.path).forEach((from, index) => {
    const to = names[index];
    if (to === undefined || to === from) return;
    report(scope, 'path-parameter-renamed', {
      before: before.item.pointer,
      after: after.item.pointer,
      from: code(from),
      to: code(to),
      name: code(after.path),
    });
  });
}

/** How messages name an operation. */
export function nameOf({ method, path }: { method: string; path: string }): string {
  return code(`${method.toUpperCase()} ${path}`);
}

function compareSunset(
  scope: Scope,
  { from, to, found }: { from: Sunset; to: Sunset; found: { before: string; after: string; name: string } },
): void {
  const [was, is] = [dateOf(from['x-sunset']), dateOf(to['x-sunset'])];
  const isNew = from['deprecated'] !== true;
  if (to['x-sunset'] === undefined) {
    if (isNew || from['x-sunset'] !== undefined) report(scope, 'operation-sunset-missing', found);
  } else if (is === undefined) {
    if (isNew || was !== undefined)
      report(scope, 'operation-sunset-invalid', { ...found, to: code(to['x-sunset']) });
  } else if (was !== undefined && is < was) {
    const values = { from: code(from['x-sunset']), to: code(to['x-sunset']) };
    report(scope, 'operation-sunset-shortened', { ...found, ...values });
  }
}

type Sunset = { [key: string]: unknown };

function dateOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Operations without a level are stable. */
function stabilityOf(node: { [key: string]: unknown }): number {
  const level = stabilityLevels.indexOf(textOf(node['x-stability-level'], 'stable'));
  return level === -1 ? stabilityLevels.length : level;
}

const stabilityLevels = ['draft', 'alpha', 'beta', 'stable'];
