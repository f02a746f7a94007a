import { reportSchema } from '../../engine/report.ts';
import { asObject, isObject, type JsonObject } from '../../engine/json.ts';
import { targetOf, type Located, type SpecDocument } from '../../engine/document.ts';
import type { Scope } from '../../engine/scope.ts';
import { code } from '../../rules/code.ts';
import { homes, type Forms } from '../form/forms.ts';
import { pushSchemas } from '../pushSchemas.ts';
import { componentName } from './parts.ts';

/** Compares the property that tells the alternatives apart, and its values. */
export function compareDiscriminators(scope: Scope, forms: Forms): void {
  const [from, to] = [forms.before.node['discriminator'], forms.after.node['discriminator']];
  if (from === undefined && to === undefined) return;
  const place = homes(forms, 'discriminator');
  const [old, now] = [asObject(from), asObject(to)];
  if (!isObject(from)) {
    reportSchema(scope, 'discriminator-added', { ...place, to: code(now['propertyName']) });
    return;
  }
  if (old['propertyName'] !== now['propertyName']) {
    const values = { from: code(old['propertyName']), to: code(now['propertyName']) };
    reportSchema(scope, 'discriminator-changed', { ...place, ...values });
    return;
  }
  compareMappings(scope, { old: asObject(old['mapping']), now: asObject(now['mapping']), place });
}

function compareMappings(
  scope: Scope,
  { old, now, place }: { old: JsonObject; now: JsonObject; place: { before: string; after: string } },
): void {
  const [from, to] = [new Map(Object.entries(old)), new Map(Object.entries(now))];
  for (const [value, target] of from) {
    const one = schemaOf(scope.run.before, target);
    const other = schemaOf(scope.run.after, to.get(value));
    if (!to.has(value)) reportSchema(scope, 'discriminator-mapping-removed', { ...place, name: code(value) });
    else if (one && other) pushSchemas(scope, one, other);
  }
  for (const value of to.keys())
    if (!from.has(value)) reportSchema(scope, 'discriminator-mapping-added', { ...place, name: code(value) });
}

/**
 * Compares the names of matched alternatives: without a mapping, the name of a component is the value of the
 * discriminator, so renaming the component renames the value.
 */
export function compareImplicitValues(
  scope: Scope,
  forms: Forms,
  pairs: readonly { before: Located; after: Located }[],
): void {
  const [from, to] = [forms.before.node['discriminator'], forms.after.node['discriminator']];
  if (!isObject(from) || !isObject(to) || from['mapping'] !== undefined || to['mapping'] !== undefined)
    return;
  const place = homes(forms, 'discriminator');
  for (const { before, after } of pairs) {
    const [old, now] = [componentName(before), componentName(after)];
    if (old === undefined || now === undefined || old === now) continue;
    reportSchema(scope, 'discriminator-mapping-removed', { ...place, name: code(old) });
    reportSchema(scope, 'discriminator-mapping-added', { ...place, name: code(now) });
  }
}

/** The schema of a mapping, which is a reference or the name of a component. */
function schemaOf(document: SpecDocument, target: unknown): Located | undefined {
  if (typeof target !== 'string') return undefined;
  return targetOf(document, target.includes('/') ? target : `#/components/schemas/${target}`);
}
