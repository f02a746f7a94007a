import type { OpenAPISpecVersion } from '@bindery/contract';
import { apiPath } from '@bindery/runtime';
import type { Answer } from '../../http/answer.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { specApi, specPlace } from './frame.ts';

export const versionDocumentRoutes: readonly Route[] = [
  page(`${specPlace}/versions/:version/document`, versionDocument),
];

/** The path of a version in the API. */
export function versionApi({ version = '', ...params }: Record<string, string>): string {
  return `${specApi(params)}${apiPath`/versions/${version}`}`;
}

/** The document of a version as it was received. Its bytes pass through the console as they come. */
async function versionDocument({ api, params, signal }: Visit): Promise<Answer> {
  const { url } = await api.get<OpenAPISpecVersion>(versionApi(params));
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return {
    status: 200,
    // A file to keep: no browser shows what a stranger's server sent as a page of the console.
    contentType: 'application/octet-stream',
    headers: { 'Content-Disposition': `attachment; filename="${name}"` },
    body: await api.openFile(url, { signal }),
  };
}
