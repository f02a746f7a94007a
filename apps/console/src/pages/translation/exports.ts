import { apiPath } from '@bindery/runtime';
import { streamOf } from '../../api/streamOf.ts';
import type { Answer } from '../../http/answer.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { organizationApi, organizationPlace } from '../organization/frame.ts';
import { translationApi, translationPlace } from './frame.ts';

/** Files for tools of translators. */
export const exportRoutes: readonly Route[] = [
  page(`${translationPlace}/export`, async (visit) => {
    const format = visit.query.get('format') ?? 'xliff-1.2';
    return fileOf(visit, `${translationApi(visit.params)}/export${apiPath`${{ format }}`}`);
  }),
  page(`${organizationPlace}/translation-memory`, async (visit) => {
    const pair = { source: visit.query.get('source') ?? '', target: visit.query.get('target') ?? '' };
    return fileOf(visit, `${organizationApi(visit.params)}/translation-memory${apiPath`${pair}`}`);
  }),
];

/** A file of the API, passed on as it comes. @throws ApiFailure */
async function fileOf({ api, signal }: Visit, path: string): Promise<Answer> {
  const file = await api.open(path, { signal });
  return {
    status: 200,
    contentType: file.headers.get('content-type') ?? 'application/octet-stream',
    headers: {
      'Content-Disposition': file.headers.get('content-disposition') ?? 'attachment',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
    body: streamOf(file),
  };
}
