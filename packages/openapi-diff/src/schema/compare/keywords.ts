import { reportSchema } from '../../engine/report.ts';
import { asArray } from '../../engine/json.ts';
import { asNode, type Located } from '../../engine/document.ts';
import type { Scope } from '../../engine/scope.ts';
import { code } from '../../rules/code.ts';
import { homes, type Forms } from '../form/forms.ts';
import { schemaIn, type SchemaForm } from '../form/schemaForm.ts';
import { isSameSchema } from '../sameSchema.ts';
import { pushSchemas } from '../pushSchemas.ts';

/** Compares the items of two arrays; without `items` these may be anything. */
export function compareItems(scope: Scope, { before, after }: Forms): void {
  if (before.node['items'] === undefined && after.node['items'] === undefined) return;
  pushSchemas(scope, schemaIn(before, 'items'), schemaIn(after, 'items'));
}

/** Compares the parts of `allOf` that could not be merged, and keywords without rules of their own. */
export function compareKeywords(scope: Scope, forms: Forms): void {
  if (!hasKeyword(forms.before) && !hasKeyword(forms.after)) return;
  compareAllOf(scope, forms);
  compareMembers(scope, forms, 'patternProperties');
  compareMembers(scope, forms, 'prefixItems');
  for (const keyword of keywords) {
    const [from, to] = [valueOf(forms.before, keyword), valueOf(forms.after, keyword)];
    if (from === undefined && to === undefined) continue;
    if (from === undefined) reportKeyword(scope, forms, { keyword, change: 'added' });
    else if (to === undefined) reportKeyword(scope, forms, { keyword, change: 'removed' });
    else if (!isSameSchema(scope.run, asSchema(keyword, from), asSchema(keyword, to)))
      reportKeyword(scope, forms, { keyword, change: 'changed' });
  }
}

function hasKeyword({ node }: SchemaForm): boolean {
  for (const keyword in node) if (all.has(keyword)) return true;
  return false;
}

/** Compares the schemas in a keyword one by one. */
function compareMembers(scope: Scope, forms: Forms, keyword: 'patternProperties' | 'prefixItems'): void {
  const [from, to] = [namesIn(forms.before, keyword), namesIn(forms.after, keyword)];
  for (const name of from) {
    if (to.has(name))
      pushSchemas(scope, schemaIn(forms.before, keyword, name), schemaIn(forms.after, keyword, name));
    else reportKeyword(scope, forms, { keyword, change: 'removed', member: name });
  }
  for (const name of to)
    if (!from.has(name)) reportKeyword(scope, forms, { keyword, change: 'added', member: name });
}

function namesIn({ node }: SchemaForm, keyword: string): ReadonlySet<string> {
  return new Set(Object.keys(Object(node[keyword]) as object));
}

function reportKeyword(
  scope: Scope,
  forms: Forms,
  { keyword, change, member }: { keyword: string; change: 'added' | 'removed' | 'changed'; member?: string },
): void {
  const name = code(member === undefined ? keyword : `${keyword}: ${member}`);
  reportSchema(scope, `keyword-${change}`, { ...homes(forms, keyword), name });
}

/** The value of a keyword, unless it is another spelling of a format. */
function valueOf({ node }: SchemaForm, keyword: string): unknown {
  const value = node[keyword];
  return value === 'base64' || value === 'application/octet-stream' ? undefined : value;
}

/** The value of a keyword as a schema that has nothing else. */
function asSchema(keyword: string, value: unknown): Located {
  return { node: { [keyword]: value }, pointer: '' };
}

function compareAllOf(scope: Scope, forms: Forms): void {
  const [from, to] = [parts(forms.before), parts(forms.after)];
  if (from.length === 0 && to.length === 0) return;
  const place = homes(forms, 'allOf');
  const added = to.filter((part) => !from.some((old) => isSameSchema(scope.run, old, part)));
  const removed = from.filter((old) => !to.some((part) => isSameSchema(scope.run, old, part)));
  for (const part of added)
    reportSchema(scope, 'all-of-added', { ...place, to: code(part.node), name: code(part.node) });
  for (const old of removed)
    reportSchema(scope, 'all-of-removed', { ...place, from: code(old.node), name: code(old.node) });
}

function parts({ node, pointer }: SchemaForm): Located[] {
  return asArray(node['allOf']).map((part, index) => ({
    node: asNode(part),
    pointer: `${pointer}/allOf/${index}`,
  }));
}

const keywords = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
];
const all = new Set(['allOf', 'patternProperties', 'prefixItems', ...keywords]);
