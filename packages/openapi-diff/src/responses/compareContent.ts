import { matchMediaTypes, mediaTypesOf } from '../bodies/mediaTypes.ts';
import { report } from '../engine/report.ts';
import type { Scope } from '../engine/scope.ts';
import { code } from '../rules/code.ts';
import type { LocatedPair } from '../schema/form/forms.ts';
import { pushSchemas } from '../schema/pushSchemas.ts';

/** Compares the bodies that clients receive. */
export function compareContent(scope: Scope, { before, after }: LocatedPair): void {
  const place = { before: before.pointer, after: after.pointer };
  const { pairs, removed, added } = matchMediaTypes(mediaTypesOf(before), mediaTypesOf(after));
  for (const { before: one, after: other, change } of pairs) {
    const values = { from: code(one.name), to: code(other.name), name: code(one.name) };
    // Clients that accept one type cannot read any other.
    if (change === 'widened') report(scope, 'response-media-type-removed', { ...place, ...values });
    else if (change !== 'none') report(scope, 'response-media-type-renamed', { ...place, ...values });
    pushSchemas(scope, one.schema, other.schema);
  }
  for (const { name } of removed)
    report(scope, 'response-media-type-removed', { ...place, from: code(name), name: code(name) });
  for (const { name } of added)
    report(scope, 'response-media-type-added', { ...place, to: code(name), name: code(name) });
}
