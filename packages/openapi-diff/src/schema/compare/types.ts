import { reportSchema } from '../../engine/report.ts';
import type { Scope } from '../../engine/scope.ts';
import { code, codes } from '../../rules/code.ts';
import { homes, type Forms } from '../form/forms.ts';
import { includesType } from '../form/mergeParts.ts';
import { hasAlternatives, isOpen, type SchemaForm } from '../form/schemaForm.ts';

/**
 * Compares types, null and formats.
 *
 * @returns 'done' where the other keywords need no comparison: they say nothing about another type
 */
export function compareTypes(scope: Scope, forms: Forms): 'done' | undefined {
  const { before, after } = forms;
  const place = homes(forms, 'type');
  const [wasOpen, isNowOpen] = [isOpen(before), isOpen(after)];
  if (wasOpen && isNowOpen) return 'done';
  const change = changeOf(before, after);
  if (change) {
    reportSchema(scope, `type-${change}`, { ...place, from: typeText(before), to: typeText(after) });
    if (change === 'changed' || wasOpen || isNowOpen) return 'done';
  } else {
    compareFormats(scope, forms);
  }
  // A schema without types allows null as well; the change of types has told it.
  if ((before.types === undefined) === (after.types === undefined)) compareNull(scope, forms);
  return undefined;
}

/** Compares whether null is allowed. */
export function compareNull(scope: Scope, forms: Forms): void {
  const { before, after } = forms;
  if (before.isNullable === after.isNullable) return;
  reportSchema(scope, after.isNullable ? 'became-nullable' : 'became-not-nullable', homes(forms, 'nullable'));
}

function compareFormats(scope: Scope, forms: Forms): void {
  const [from, to] = [formatOf(forms.before), formatOf(forms.after)];
  if (from === to) return;
  reportSchema(scope, 'format-changed', { ...homes(forms, 'format'), from: code(from), to: code(to) });
}

/** The format, also where 3.1 writes one of 3.0's as the encoding or type of the content. */
function formatOf({ node }: SchemaForm): unknown {
  if (node['contentEncoding'] === 'base64') return 'byte';
  if (node['contentMediaType'] === 'application/octet-stream') return 'binary';
  return node['format'];
}

function changeOf(before: SchemaForm, after: SchemaForm): ReturnType<typeof changeOfTypes> {
  if (isOpen(before)) return 'narrowed';
  return isOpen(after) ? 'widened' : changeOfTypes(before, after);
}

function changeOfTypes(
  before: SchemaForm,
  after: SchemaForm,
): 'changed' | 'narrowed' | 'widened' | undefined {
  const [from, to] = [before.types, after.types];
  if (from === undefined || to === undefined) {
    if (from === to || hasAlternatives(before) || hasAlternatives(after)) return undefined;
    return from === undefined ? 'narrowed' : 'widened';
  }
  const isWider = from.every((type) => includesType(to, type));
  const isNarrower = to.every((type) => includesType(from, type));
  if (isWider && isNarrower) return undefined;
  if (isWider) return 'widened';
  return isNarrower ? 'narrowed' : 'changed';
}

function typeText({ types, isNullable }: SchemaForm): string {
  if (types === undefined) return 'any type';
  return codes(isNullable ? [...types, 'null'] : types);
}
