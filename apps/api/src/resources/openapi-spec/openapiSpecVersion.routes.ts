import { visitorUrlEnd } from '../../presenters/fileUrl.ts';
import {
  OpenAPISpecContent,
  OpenAPISpecRawContent,
  OpenAPISpecFindings,
  type OpenAPISpecFinding,
  OpenAPISpecVersion,
} from '@bindery/contract';
import {
  OpenAPISpecVersion as OpenAPISpecVersionModel,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
} from '@bindery/models';
import type { Visitor } from '@bindery/publishing';
import { quotedText, streamedJson } from '../../http/answer/jsonStream.ts';
import type { Reply } from '../../http/answer/reply.ts';
import type { Platform } from '../../platform.ts';
import { findPage } from '../../records/findPage.ts';
import { loadText, openText } from '../../records/storeText.ts';
import { documentUrl, presentSpecVersion, publishedUrl } from './openapiSpec.presenter.ts';
import {
  inLatestOpenAPISpecVersion,
  inOpenAPISpec,
  inOpenAPISpecVersion,
  inReadableLatestOpenAPISpecVersion,
} from './openapiSpec.scope.ts';

type AtVersion = { spec: OpenAPISpecRecord; version: OpenAPISpecVersionRecord };

export const openapiSpecVersionRoutes = [
  inOpenAPISpec.list(
    '/versions',
    {
      operationId: 'listOpenAPISpecVersions',
      summary: 'List the versions of an API specification, newest first',
      permission: 'openapi.view',
      item: OpenAPISpecVersion,
    },
    async ({ platform: { links }, spec, query }) => {
      const { rows, ...page } = await findPage<OpenAPISpecVersionRecord>(
        OpenAPISpecVersionModel,
        { spec: spec._id },
        query,
      );
      return { ...page, items: rows.map((version) => presentSpecVersion(spec, { links, version })) };
    },
  ),

  inLatestOpenAPISpecVersion.get(
    '',
    {
      operationId: 'getLatestOpenAPISpecVersion',
      summary: 'Get the latest version of an API specification',
      permission: 'openapi.view',
      response: OpenAPISpecVersion,
    },
    async ({ platform: { links }, spec, version }) => presentSpecVersion(spec, { links, version }),
  ),

  inReadableLatestOpenAPISpecVersion.get(
    '/content',
    {
      operationId: 'getLatestOpenAPISpecVersionContent',
      summary: 'Get the content of the latest version of an API specification',
      description:
        'Visitors of a site can read public specifications, and those on pages that they can view.',
      permission: 'openapi.view',
      response: OpenAPISpecContent,
      etag: true,
    },
    async ({ platform, spec, version, reader, reply }) =>
      loadContent({ platform, spec, version, visitor: reader.visitor }, reply),
  ),

  inLatestOpenAPISpecVersion.get(
    '/content/raw',
    {
      operationId: 'getLatestOpenAPISpecVersionContentRaw',
      summary: 'Get the original document of the latest version of an API specification',
      permission: 'openapi.view',
      response: OpenAPISpecRawContent,
      etag: true,
    },
    async ({ platform: { blobs }, version: { organization, document }, reply }) => {
      reply.etag(document.blob);
      const text = await openText(blobs, { organization, hash: document.blob });
      return streamedJson('{"text":', quotedText(text), `,"format":${JSON.stringify(document.format)}}`);
    },
  ),

  inOpenAPISpecVersion.get(
    '/findings',
    {
      operationId: 'getOpenAPISpecVersionFindings',
      summary: 'List the faults of a version of an API specification, and remarks on it',
      permission: 'openapi.view',
      response: OpenAPISpecFindings,
      etag: true,
    },
    async ({ platform: { blobs }, version: { organization, findings }, can, reply }) => {
      const showsQueries = can['openapi.edit'] === true;
      reply.etag(showsQueries ? findings.blob : `${findings.blob}-view`);
      const text = await loadText(blobs, { organization, hash: findings.blob });
      const items = JSON.parse(text) as OpenAPISpecFinding[];
      return { count: findings.count, items: showsQueries ? items : items.map(withoutQueryOfFile) };
    },
  ),

  inOpenAPISpecVersion.get(
    '',
    {
      operationId: 'getOpenAPISpecVersionById',
      summary: 'Get a version of an API specification',
      permission: 'openapi.view',
      response: OpenAPISpecVersion,
    },
    async ({ platform: { links }, spec, version }) => presentSpecVersion(spec, { links, version }),
  ),

  inOpenAPISpecVersion.get(
    '/content',
    {
      operationId: 'getOpenAPISpecVersionContentById',
      summary: 'Get the content of a version of an API specification',
      permission: 'openapi.view',
      response: OpenAPISpecContent,
      etag: true,
    },
    async ({ platform, spec, version, reply }) => loadContent({ platform, spec, version }, reply),
  ),
];

/** As with `sourceURL`: the query of a URL may contain a key. */
function withoutQueryOfFile(finding: OpenAPISpecFinding): OpenAPISpecFinding {
  const [file = ''] = finding.file.split('?', 1);
  return { ...finding, file };
}

async function loadContent(
  {
    platform: { blobs, links },
    spec,
    version,
    visitor,
  }: AtVersion & { platform: Platform; visitor?: Visitor | undefined },
  reply: Reply,
): Promise<OpenAPISpecContent> {
  // A version never changes, but the visibility of its specification may.
  const until = visitor && visitorUrlEnd();
  reply.etag(`${version._id}-${spec.visibility}${until === undefined ? '' : `-${until}`}`);
  const url = documentUrl(spec, { links, version, until });
  const urls = { source: url, public: spec.visibility === 'public' ? publishedUrl(spec, links) : null };
  const { organization, filesystem } = version;
  const files = await openText(blobs, { organization, hash: filesystem.blob });
  return streamedJson('{"filesystem":', files, `,${JSON.stringify({ url, urls }).slice(1)}`);
}
