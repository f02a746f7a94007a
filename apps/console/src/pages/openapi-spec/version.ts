import type { OpenAPISpecFinding, OpenAPISpecFindings, OpenAPISpecVersion } from '@bindery/contract';
import { facts, html, moment, table, type Html } from '@bindery/html';
import type { ListPage } from '../../api/api.ts';
import { orMissing } from '../../api/orMissing.ts';
import { withQuery } from '../../api/withQuery.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import type { Page } from '../../layout/page.ts';
import { compareForm } from './compareForm.ts';
import { firstOf, inSpec, nameOfVersion, specApi, specPath, specPlace } from './frame.ts';
import { changesOf } from './versionTable.ts';
import { versionApi } from './versionDocument.ts';

const [findingsShown, versionsShown] = [100, 50];

export const versionRoutes: readonly Route[] = [page(`${specPlace}/versions/:version`, versionPage)];

type Compatibility = { state: 'pending' | 'accepted' | 'refused'; reason?: string };

/** A version with its findings and its review, which comes some seconds after the version. */
async function versionPage(visit: Visit): Promise<Page> {
  const { api, params } = visit;
  const path = versionApi(params);
  const [version, findings, style, compatibility, versions] = await Promise.all([
    api.get<OpenAPISpecVersion>(path),
    api.get<OpenAPISpecFindings>(`${path}/findings`),
    orMissing(api.get<OpenAPISpecFindings>(`${path}/lint`)),
    api.get<Compatibility>(`${path}/compatibility`),
    api.get<ListPage<OpenAPISpecVersion>>(withQuery(`${specApi(params)}/versions`, { limit: versionsShown })),
  ]);
  const document = `${specPath(params)}/versions/${version.id}/document`;
  const others = versions.items.filter(({ id }) => id !== version.id);
  return inSpec(visit, {
    title: nameOfVersion(version),
    main: html`${factsOf(version, { params, compatibility })}
<p><a href="${document}">Download the document</a></p>
<h2>Findings</h2>
${findingTable(findings, { id: 'findings', caption: 'By place', none: 'There are none.' })}
<h2>Style</h2>
${style ? findingTable(style, { id: 'style', caption: 'Remarks by place', none: 'There are no remarks.' }) : html`<p>It has not been judged yet.</p>`}
${compareForm([version, ...others], params, { before: version.changes?.before, after: version.id })}`,
  });
}

function factsOf(
  version: OpenAPISpecVersion,
  { params, compatibility }: { params: Visit['params']; compatibility: Compatibility },
): Html {
  const { createdAt, openapi, counts } = version;
  return facts([
    ['Made', moment(new Date(createdAt))],
    ['OpenAPI', openapi],
    ['Operations', counts.operations],
    ['Webhooks', counts.webhooks],
    ['Schemas', counts.schemas],
    ['Changes', changesOf(version, params) ?? 'not compared with a version before'],
    ['swagger-parser', verdictOf(compatibility)],
  ]);
}

function verdictOf({ state, reason }: Compatibility): string {
  if (state === 'pending') return 'has not tried it yet';
  return state === 'accepted' ? 'takes it' : `refuses it: ${reason ?? ''}`;
}

const severities = {
  error: html`<span class="bad">error</span>`,
  warning: html`<span class="busy">warning</span>`,
  info: html`<span class="soft">info</span>`,
};

function findingTable(
  { items, count }: OpenAPISpecFindings,
  look: { id: string; caption: string; none: string },
): Html {
  // The API lists them by place; a cut must leave no error out.
  const byRank = Object.keys(severities).flatMap((one) => items.filter(({ severity }) => severity === one));
  const { first, more } = firstOf(byRank, { shown: findingsShown, count });
  return html`${table<OpenAPISpecFinding>(
    look,
    [
      { name: 'Severity', cell: ({ severity }) => severities[severity] },
      { name: 'Message', cell: ({ message, rule }) => html`${message} <code>${rule}</code>` },
      { name: 'Place', cell: placeOf },
    ],
    first,
  )}${more}`;
}

function placeOf({ file, line, column, pointer }: OpenAPISpecFinding): Html {
  return html`${file} line ${line}, column ${column} ${pointer !== '' && html`<code>${pointer}</code>`}`;
}
