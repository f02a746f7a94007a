import { pictureTypes, type File } from '@bindery/contract';
import { apiPath } from '@bindery/runtime';
import type { Outcome } from '../http/outcome.ts';
import type { Route, Visit } from '../http/route.ts';

const maxBytes = 20 * 1024 * 1024;

export const revisionFileRoutes: readonly Route[] = [
  {
    method: 'get',
    admits: 'users',
    path: '/spaces/:space/revisions/:revision/files/:file',
    show: revisionFile,
  },
];

/**
 * The address of a file of a revision. The bytes of a picture come through the console, with the caller's
 * rights; other files are downloaded from the API.
 */
export function fileUrl({ space, revision }: { space: string; revision: string }, file: string): string {
  return `/spaces/${space}/revisions/${revision}/files/${encodeURIComponent(file)}`;
}

/** The own policy of a picture keeps an SVG that is opened by itself from running anything. */
async function revisionFile({ api, params }: Visit): Promise<Outcome> {
  const { space = '', revision = '', file: id = '' } = params;
  const file = await api.get<File>(apiPath`/spaces/${space}/revisions/${revision}/files/${id}`);
  const type = file.contentType.split(';', 1)[0] ?? '';
  if (!pictureTypes.has(type)) return { location: file.downloadURL };
  return {
    status: 200,
    contentType: type,
    body: await api.download(file.downloadURL, maxBytes),
    headers: {
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Content-Disposition': 'inline',
    },
  };
}
