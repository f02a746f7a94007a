import { reportSchema } from '../../engine/report.ts';
import type { Scope } from '../../engine/scope.ts';
import { code, codes } from '../../rules/code.ts';
import { homes, type Forms } from '../form/forms.ts';
import { isSameValue } from '../sameSchema.ts';

/** Compares the values of `enum` and `const`. */
export function compareEnums(scope: Scope, forms: Forms): void {
  const [from, to] = [forms.before.values, forms.after.values];
  const place = homes(forms, 'enum');
  if (from === undefined || to === undefined) {
    if (to) reportSchema(scope, 'enum-introduced', { ...place, to: codes(to) });
    if (from) reportSchema(scope, 'enum-dropped', { ...place, from: codes(from) });
    return;
  }
  const added = missingIn(from, to);
  const removed = missingIn(to, from);
  if (added.length > 0) reportSchema(scope, 'enum-value-added', { ...place, to: codes(added) });
  if (removed.length > 0) reportSchema(scope, 'enum-value-removed', { ...place, from: codes(removed) });
}

/** Returns the change of a keyword that has one value before, and another one after. */
export function changeOfValue(from: unknown, to: unknown): 'added' | 'removed' | 'changed' {
  if (from === undefined) return 'added';
  return to === undefined ? 'removed' : 'changed';
}

/** Compares patterns; whether one pattern allows what another does is not decided. */
export function comparePatterns(scope: Scope, forms: Forms): void {
  const [from, to] = [forms.before.node['pattern'], forms.after.node['pattern']];
  if (from === to) return;
  const change = changeOfValue(from, to);
  reportSchema(scope, `pattern-${change}`, { ...homes(forms, 'pattern'), from: code(from), to: code(to) });
}

export function compareDefaults(scope: Scope, forms: Forms): void {
  const [from, to] = [forms.before.node['default'], forms.after.node['default']];
  if (isSameValue(from, to)) return;
  reportSchema(scope, 'default-changed', { ...homes(forms, 'default'), from: code(from), to: code(to) });
}

/** Values that are not in a list. */
function missingIn(list: readonly unknown[], values: readonly unknown[]): unknown[] {
  const known = new Set(list.map((value) => JSON.stringify(value)));
  return values.filter((value) => !known.has(JSON.stringify(value)));
}
