import { child, follow, type Located } from '../engine/document.ts';
import { report } from '../engine/report.ts';
import type { Scope } from '../engine/scope.ts';
import { enter } from '../engine/shared.ts';
import type { OperationPair } from '../operations/matchOperations.ts';
import { code } from '../rules/code.ts';
import type { LocatedPair } from '../schema/form/forms.ts';
import { pushSchemas } from '../schema/pushSchemas.ts';
import { matchMediaTypes, mediaTypesOf } from './mediaTypes.ts';

/** Compares the request bodies of an operation. */
export function compareBodies(scope: Scope, pair: OperationPair): void {
  const before = follow(scope.run.before, child(pair.before.operation, 'requestBody'));
  const after = follow(scope.run.after, child(pair.after.operation, 'requestBody'));
  const [had, has] = [pair.before, pair.after].map(
    ({ operation }) => operation.node['requestBody'] !== undefined,
  );
  if (had && has) {
    const entered = enter(scope, before, after);
    if (entered) compareBody(entered, { before, after });
  } else if (had) {
    report(scope, 'body-removed', { before: before.pointer });
  } else if (has) {
    report(scope, isRequired(after) ? 'body-added-required' : 'body-added-optional', {
      after: after.pointer,
    });
  }
}

function compareBody(scope: Scope, { before, after }: LocatedPair): void {
  const place = { before: before.pointer, after: after.pointer };
  if (isRequired(before) !== isRequired(after))
    report(scope, isRequired(after) ? 'body-became-required' : 'body-became-optional', place);

  const { pairs, removed, added } = matchMediaTypes(mediaTypesOf(before), mediaTypesOf(after));
  for (const { before: one, after: other, change } of pairs) {
    const values = { from: code(one.name), to: code(other.name), name: code(one.name) };
    if (change === 'widened') report(scope, 'body-media-type-widened', { ...place, ...values });
    // The API no longer promises to accept the old name.
    else if (change !== 'none' && !isSameType(one.name, other.name))
      report(scope, 'body-media-type-removed', { ...place, ...values });
    pushSchemas(scope, one.schema, other.schema);
  }
  for (const { name } of removed)
    report(scope, 'body-media-type-removed', { ...place, from: code(name), name: code(name) });
  for (const { name } of added)
    report(scope, 'body-media-type-added', { ...place, to: code(name), name: code(name) });
}

function isRequired({ node }: Located): boolean {
  return node['required'] === true;
}

function isSameType(one: string, other: string): boolean {
  return one.split(';')[0]?.toLowerCase() === other.split(';')[0]?.toLowerCase();
}
