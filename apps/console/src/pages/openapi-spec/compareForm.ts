import type { OpenAPISpecVersion } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import { withQuery } from '../../api/withQuery.ts';
import type { Visit } from '../../http/route.ts';
import { choiceField } from '../../layout/field.ts';
import { searchForm } from '../../layout/searchForm.ts';
import { nameOfVersion, specPath } from './frame.ts';

/** Two versions, by id. */
type Pair = { before: string; after: string };

/** The page that compares two versions. */
export function comparePath(params: Visit['params'], pair: Pair): string {
  return withQuery(`${specPath(params)}/compare`, pair);
}

/** A form that compares two of the versions. @param chosen  those that it begins with; default the newest */
export function compareForm(
  versions: readonly OpenAPISpecVersion[],
  params: Visit['params'],
  chosen: Partial<Pair> = {},
): Value {
  if (versions.length < 2) return undefined;
  const { before = versions[1]?.id, after = versions[0]?.id } = chosen;
  const options = versions.map((version) => [version.id, labelOf(version)] as const);
  return html`<h2>Compare two versions</h2>
${searchForm(`${specPath(params)}/compare`, {
  fields: html`${choiceField({ name: 'before', label: 'From' }, { options, value: before })}
${choiceField({ name: 'after', label: 'To' }, { options, value: after })}`,
  button: 'Compare',
})}`;
}

function labelOf(version: OpenAPISpecVersion): string {
  return `${nameOfVersion(version)}, ${version.createdAt.slice(0, 16).replace('T', ' ')}`;
}
