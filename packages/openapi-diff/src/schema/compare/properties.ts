import { reportSchema } from '../../engine/report.ts';
import { asArray, asObject, type JsonObject } from '../../engine/json.ts';
import type { Located, SpecDocument } from '../../engine/document.ts';
import type { Scope } from '../../engine/scope.ts';
import { homes, type Forms } from '../form/forms.ts';
import { keywordOf } from '../form/readSchema.ts';
import { homeOf, schemaIn, type SchemaForm } from '../form/schemaForm.ts';
import { pushSchemas } from '../pushSchemas.ts';

/** Compares the properties of two objects, and which of them are required. */
export function compareProperties(scope: Scope, { before, after }: Forms): void {
  const [old, now] = [propertiesOf(before), propertiesOf(after)];
  for (const name of old.names) {
    if (hasProperty(now, name)) compareProperty(scope, { name, before, after, old, now });
    else reportRemoved(scope, { name, form: before, isRequired: old.required.has(name), other: after });
  }
  for (const name of now.names) {
    if (!hasProperty(old, name))
      reportAdded(scope, { name, form: after, isRequired: now.required.has(name), other: before });
  }
}

/** Names of `properties` and `required`: a name that is only required is a property of any type. */
type Properties = { names: readonly string[]; schemas: JsonObject; required: ReadonlySet<unknown> };

function propertiesOf({ node }: SchemaForm): Properties {
  const schemas = asObject(node['properties']);
  const required = new Set(asArray(node['required']));
  const names = Object.keys(schemas);
  for (const name of required)
    if (typeof name === 'string' && !Object.hasOwn(schemas, name)) names.push(name);
  return { names, schemas, required };
}

function hasProperty({ schemas, required }: Properties, name: string): boolean {
  return Object.hasOwn(schemas, name) || required.has(name);
}

type PropertyPair = { name: string; old: Properties; now: Properties } & Forms;

function compareProperty(scope: Scope, { name, before, after, old, now }: PropertyPair): void {
  const [one, other] = [schemaIn(before, 'properties', name), schemaIn(after, 'properties', name)];
  const flags = {
    before: accessOf(scope.run.before, one),
    after: accessOf(scope.run.after, other),
  };
  const place = { before: one.pointer, after: other.pointer };
  const wasIgnored = isIgnored(scope, flags.before);
  const inside = isIgnored(scope, flags.after) ? { ...scope, isIgnored: true } : scope;
  if (!flags.before.readOnly && flags.after.readOnly) reportSchema(scope, 'became-read-only', place);
  if (!flags.before.writeOnly && flags.after.writeOnly) reportSchema(scope, 'became-write-only', place);

  // A property that nobody sent before is optional to those who know the document of that time.
  const wasRequired = old.required.has(name) && (!wasIgnored || inside.isIgnored);
  if (wasRequired !== now.required.has(name))
    reportSchema(inside, wasRequired ? 'became-optional' : 'became-required', place);
  pushSchemas(inside, one, other);
}

type Difference = { name: string; form: SchemaForm; isRequired: boolean; other: SchemaForm };

function reportAdded(scope: Scope, { name, form, isRequired, other }: Difference): void {
  const added = schemaIn(form, 'properties', name);
  const inside = {
    ...scope,
    isIgnored: scope.isIgnored || isIgnored(scope, accessOf(scope.run.after, added)),
  };
  const hasDefault = keywordOf(scope.run.after, added, 'default') !== undefined;
  const kindIfRequired = hasDefault ? 'with-default' : 'required';
  const kind = isRequired ? kindIfRequired : 'optional';
  reportSchema(inside, `property-added-${kind}`, {
    after: added.pointer,
    before: homeOf(other, 'properties'),
    name,
  });
}

function reportRemoved(scope: Scope, { name, form, isRequired, other }: Difference): void {
  const removed = schemaIn(form, 'properties', name);
  const inside = {
    ...scope,
    isIgnored: scope.isIgnored || isIgnored(scope, accessOf(scope.run.before, removed)),
  };
  reportSchema(inside, `property-removed-${isRequired ? 'required' : 'optional'}`, {
    before: removed.pointer,
    after: homeOf(other, 'properties'),
    name,
  });
}

/** Compares whether objects may have properties without a name, and which. */
export function compareAdditionalProperties(scope: Scope, forms: Forms): void {
  const [from, to] = [forms.before.node['additionalProperties'], forms.after.node['additionalProperties']];
  if (from === to || !isObjectForm(forms.before) || !isObjectForm(forms.after)) return;
  if ((from === false) !== (to === false))
    reportSchema(
      scope,
      to === false ? 'additional-properties-closed' : 'additional-properties-opened',
      homes(forms, 'additionalProperties'),
    );
  else if (from !== false)
    pushSchemas(
      scope,
      schemaIn(forms.before, 'additionalProperties'),
      schemaIn(forms.after, 'additionalProperties'),
    );
}

function isObjectForm({ types }: SchemaForm): boolean {
  return types === undefined || types.includes('object');
}

type Access = { readOnly: boolean; writeOnly: boolean };

/** Whether a property is read-only or write-only. */
function accessOf(document: SpecDocument, property: Located): Access {
  return {
    readOnly: keywordOf(document, property, 'readOnly') === true,
    writeOnly: keywordOf(document, property, 'writeOnly') === true,
  };
}

function isIgnored({ direction }: Scope, { readOnly, writeOnly }: Access): boolean {
  return direction === 'request' ? readOnly : writeOnly;
}
