import type { OpenAPISpecVersion } from '@bindery/contract';
import { html, moment, table, type Html, type Value } from '@bindery/html';
import type { Visit } from '../../http/route.ts';
import { comparePath } from './compareForm.ts';
import { versionLink } from './frame.ts';

/** Versions of a specification, newest first. @param newest  the id of the newest */
export function versionTable(
  versions: readonly OpenAPISpecVersion[],
  { params, newest }: { params: Visit['params']; newest: string | undefined },
): Html {
  return table<OpenAPISpecVersion>(
    { id: 'versions', caption: 'Versions, newest first. Times are UTC.', none: 'There are none.' },
    [
      {
        name: 'Version',
        cell: (version) =>
          html`${versionLink(version, params)} ${version.id === newest && html`<strong>newest</strong>`}`,
      },
      { name: 'Made', cell: ({ createdAt }) => moment(new Date(createdAt)) },
      { name: 'OpenAPI', cell: ({ openapi }) => openapi },
      { name: 'Operations', isNumber: true, cell: ({ counts }) => counts.operations },
      { name: 'Findings', isNumber: true, cell: ({ findings }) => findings },
      { name: 'Changes', cell: (version) => changesOf(version, params) },
    ],
    versions,
  );
}

/** The numbers of changes since the version before, which lead to them; nothing until they are counted. */
export function changesOf({ id, changes }: OpenAPISpecVersion, params: Visit['params']): Value {
  if (!changes) return undefined;
  const { before, breaking, warning, info } = changes;
  const path = comparePath(params, { before, after: id });
  return html`<a href="${path}"><span class="${breaking > 0 && 'bad'}">${breaking} breaking</span>, ${warning} warnings, ${info} others</a>`;
}
