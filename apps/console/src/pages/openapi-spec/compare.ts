import type { OpenAPISpecVersion } from '@bindery/contract';
import { facts, html, table, type Html, type Value } from '@bindery/html';
import type { Change, Severity, SpecificationDiff } from '@bindery/openapi-diff';
import { apiPath } from '@bindery/runtime';
import { page, type Route, type Visit } from '../../http/route.ts';
import { curlDetails } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { firstOf, inSpec, specPlace, versionLink } from './frame.ts';
import { versionApi } from './versionDocument.ts';

const [changesShown, operationsShown] = [100, 5];

export const compareRoutes: readonly Route[] = [page(`${specPlace}/compare`, comparePage)];

const sections = [
  ['breaking', 'Breaking changes'],
  ['warning', 'Warnings'],
  ['info', 'Other changes'],
] as const satisfies readonly (readonly [Severity, string])[];

/** The changes between two versions; without a query, those of the newest one. */
async function comparePage(visit: Visit): Promise<Page> {
  const { api, params, query } = visit;
  const before = query.get('before') || 'previous';
  const after = query.get('after') || 'latest';
  const path = `${versionApi({ ...params, version: before })}${apiPath`/diff/${after}`}`;
  const [diff, ...versions] = await Promise.all([
    api.get<SpecificationDiff>(`${path}?format=json`),
    ...[before, after].map(async (version) =>
      api.get<OpenAPISpecVersion>(versionApi({ ...params, version })),
    ),
  ]);
  const [old, now] = versions.map((version) => versionLink(version, params));
  return inSpec(visit, {
    title: 'Changes between two versions',
    main: html`${facts([
      ['From', old],
      ['To', now],
      ...sections.map(([severity, title]) => [title, diff.counts[severity]] as const),
    ])}
${!diff.isComplete && html`<p class="note">The documents differ in more places than the API lists.</p>`}
${diff.changes.length === 0 && html`<p>No client can tell the difference.</p>`}
${sections.map(([severity, title]) => changeTable(diff, { severity, title }))}
${curlDetails({ method: 'GET', path: `${path}?format=markdown` }, { visit, button: 'all changes as Markdown' })}`,
  });
}

function changeTable(
  { changes, counts }: SpecificationDiff,
  { severity, title }: { severity: Severity; title: string },
): Value {
  const own = changes.filter((change) => change.severity === severity);
  if (own.length === 0) return undefined;
  const { first, more } = firstOf(own, { shown: changesShown, count: counts[severity] });
  return html`<h2>${title}</h2>
${table<Change>(
  { id: severity, caption: `${title}, by place in the document`, none: undefined },
  [
    { name: 'Change', cell: ({ message, rule }) => html`${withCode(message)} <code>${rule}</code>` },
    { name: 'Operations', cell: operationsOf },
  ],
  first,
)}${more}`;
}

/** A message of the comparison, in which backticks enclose names and values. */
function withCode(message: string): Html[] {
  return message
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}

function operationsOf({ operations, operationCount }: Change): Value {
  if (operations.length === 0) return 'the whole API';
  const { first, more } = firstOf(operations, { shown: operationsShown, count: operationCount });
  return html`${first.map(({ method, path }) => html`<code>${method.toUpperCase()} ${path}</code> `)}${more}`;
}
