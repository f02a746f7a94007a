import { child, type Located, type SpecDocument } from '../engine/document.ts';
import { textOf } from '../engine/json.ts';
import { report } from '../engine/report.ts';
import type { Scope } from '../engine/scope.ts';
import { code } from '../rules/code.ts';
import { keywordOf, readSchema, resolveSchema } from '../schema/form/readSchema.ts';
import type { LocatedPair } from '../schema/form/forms.ts';
import { changeOfValue } from '../schema/compare/values.ts';
import { pushSchemas } from '../schema/pushSchemas.ts';
import { isSameValue } from '../schema/sameSchema.ts';

/** Compares two descriptions of one parameter. */
export function compareParameter(scope: Scope, { before, after }: LocatedPair): void {
  const place = { before: before.pointer, after: after.pointer };
  const [wasRequired, isRequired] = [before, after].map(
    ({ node }) => node['required'] === true || node['in'] === 'path',
  );
  if (wasRequired !== isRequired)
    report(scope, isRequired ? 'parameter-became-required' : 'parameter-became-optional', place);
  if (before.node['deprecated'] !== true && after.node['deprecated'] === true)
    report(scope, 'parameter-deprecated', place);

  const [from, to] = [contentOf(before), contentOf(after)];
  if (from !== to) {
    report(scope, 'parameter-content-changed', { ...place, from: code(from), to: code(to) });
    return;
  }
  compareStyles(scope, { before, after });
  compareDefaults(scope, { before, after });
  pushSchemas({ ...scope, isParameter: true }, schemaOf(before), schemaOf(after));
}

/** The media type of a parameter, or `schema` for one that is serialized by its style. */
function contentOf({ node }: Located): string {
  return Object.keys(Object(node['content']) as object)[0] ?? 'schema';
}

function schemaOf(parameter: Located): Located {
  const mediaType = contentOf(parameter);
  return mediaType === 'schema'
    ? child(parameter, 'schema')
    : child(child(child(parameter, 'content'), mediaType), 'schema');
}

function compareStyles(scope: Scope, { before, after }: LocatedPair): void {
  const isList = hasParts(scope.run.before, before) || hasParts(scope.run.after, after);
  const [from, to] = [before, after].map((parameter) => styleOf(parameter, isList));
  if (from === to) return;
  const place = { before: before.pointer, after: after.pointer };
  report(scope, 'parameter-style-changed', { ...place, from: code(from), to: code(to) });
}

/** The style, and for arrays and objects whether they are exploded; with the defaults of OpenAPI. */
function styleOf({ node }: Located, isList: boolean): string {
  const usual = node['in'] === 'query' || node['in'] === 'cookie' ? 'form' : 'simple';
  const style = textOf(node['style'], usual);
  const isExploded = typeof node['explode'] === 'boolean' ? node['explode'] : style === 'form';
  return isList ? `${style}, explode ${isExploded}` : style;
}

function hasParts(document: SpecDocument, parameter: Located): boolean {
  const { types } = readSchema(document, resolveSchema(document, schemaOf(parameter)));
  return types === undefined || types.includes('array') || types.includes('object');
}

function compareDefaults(scope: Scope, { before, after }: LocatedPair): void {
  const [from, to] = [
    keywordOf(scope.run.before, schemaOf(before), 'default'),
    keywordOf(scope.run.after, schemaOf(after), 'default'),
  ];
  if (isSameValue(from, to)) return;
  const change = changeOfValue(from, to);
  report(scope, `parameter-default-${change}`, {
    before: before.pointer,
    after: after.pointer,
    from: code(from),
    to: code(to),
  });
}
