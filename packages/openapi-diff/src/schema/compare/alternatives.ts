import { reportSchema } from '../../engine/report.ts';
import type { Scope } from '../../engine/scope.ts';
import { code } from '../../rules/code.ts';
import { homes, type Forms, type LocatedPair } from '../form/forms.ts';
import { hasAlternatives, homeOf, isOpen, type SchemaForm } from '../form/schemaForm.ts';
import { pushSchemas } from '../pushSchemas.ts';
import { compareImplicitValues } from './discriminators.ts';
import { labelOf, matchParts, partOf, partsOf, type AlternativePart } from './parts.ts';
import { compareNull } from './types.ts';

type Keyword = 'oneOf' | 'anyOf';

/**
 * Compares `oneOf` and `anyOf`.
 *
 * @returns 'done' where the other keywords need no comparison
 */
export function compareAlternatives(scope: Scope, forms: Forms, located: LocatedPair): 'done' | undefined {
  const [from, to] = [keywordsOf(forms.before), keywordsOf(forms.after)];
  if (from.length === 0 && to.length === 0) return undefined;
  if (from.length === 0 || to.length === 0) return compareWithOne(scope, forms, located);
  for (const keyword of from.filter((name) => to.includes(name)))
    compareParts(scope, forms, { from: keyword, to: keyword });

  const [lost] = from.filter((name) => !to.includes(name));
  const [gained] = to.filter((name) => !from.includes(name));
  if (lost && gained) {
    const place = { before: homeOf(forms.before, lost), after: homeOf(forms.after, gained) };
    reportSchema(scope, 'alternatives-changed', { ...place, from: code(lost), to: code(gained) });
    compareParts(scope, forms, { from: lost, to: gained });
  } else if (gained) {
    reportSchema(scope, 'alternatives-introduced', homes(forms, gained));
  } else if (lost) {
    reportSchema(scope, 'alternatives-dropped', homes(forms, lost));
  }
  return undefined;
}

function compareParts(scope: Scope, forms: Forms, { from, to }: { from: Keyword; to: Keyword }): void {
  const { run } = scope;
  const { pairs, removed, added } = matchParts(
    run,
    partsOf(run, 'before', { form: forms.before, keyword: from }),
    partsOf(run, 'after', { form: forms.after, keyword: to }),
  );
  const schemas = pairs.map(({ before, after }) => ({ before: before.schema, after: after.schema }));
  for (const { before, after } of schemas) pushSchemas(scope, before, after);
  compareImplicitValues(scope, forms, schemas);
  reportRemoved(scope, removed, { keyword: from, home: homeOf(forms.after, to) });
  reportAdded(scope, added, { keyword: to, home: homeOf(forms.before, from) });
}

/** Compares a schema with alternatives with a schema without: that may be one of the alternatives. */
function compareWithOne(scope: Scope, forms: Forms, located: LocatedPair): 'done' | undefined {
  const { run } = scope;
  const isIntroduced = hasAlternatives(forms.after);
  const [side, otherSide] = isIntroduced ? (['after', 'before'] as const) : (['before', 'after'] as const);
  const [several, single] = [forms[side], forms[otherSide]];
  const one = [partOf(run, otherSide, located[otherSide])];
  for (const keyword of keywordsOf(several)) {
    const parts = partsOf(run, side, { form: several, keyword });
    const { pairs, removed, added } = isIntroduced
      ? matchParts(run, one, parts)
      : matchParts(run, parts, one);
    if (pairs.length === 0) continue;
    for (const { before, after } of pairs) pushSchemas(scope, before.schema, after.schema);
    reportRemoved(scope, removed, { keyword, home: single.pointer });
    reportAdded(scope, added, { keyword, home: single.pointer });
    compareNull(scope, forms);
    return 'done';
  }
  const [keyword = 'oneOf'] = keywordsOf(several);
  const place = homes(forms, keyword);
  if (!isOpen(single) && several.types === undefined) {
    const [from, to] = isIntroduced ? ['none', code(keyword)] : [code(keyword), 'none'];
    reportSchema(scope, 'alternatives-changed', { ...place, from, to });
    return 'done';
  }
  reportSchema(scope, isIntroduced ? 'alternatives-introduced' : 'alternatives-dropped', place);
  return isOpen(single) ? 'done' : undefined;
}

type ListPlace = { keyword: Keyword; home: string };

function reportRemoved(scope: Scope, parts: AlternativePart[], { keyword, home }: ListPlace): void {
  for (const part of parts)
    reportSchema(scope, keyword === 'oneOf' ? 'one-of-removed' : 'any-of-removed', {
      before: part.pointer,
      after: home,
      from: labelOf(scope.run, 'before', part),
    });
}

function reportAdded(scope: Scope, parts: AlternativePart[], { keyword, home }: ListPlace): void {
  for (const part of parts)
    reportSchema(scope, keyword === 'oneOf' ? 'one-of-added' : 'any-of-added', {
      before: home,
      after: part.pointer,
      to: labelOf(scope.run, 'after', part),
    });
}

function keywordsOf({ node }: SchemaForm): Keyword[] {
  return (['oneOf', 'anyOf'] as const).filter((keyword) => Array.isArray(node[keyword]));
}
