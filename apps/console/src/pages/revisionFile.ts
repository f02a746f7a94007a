import { pictureTypes, type File } from '@bindery/contract';
import { apiPath } from '@bindery/runtime';
import { ApiFailure } from '../api/apiFailure.ts';
import type { Answer } from '../http/answer.ts';
import type { Route, Visit } from '../http/route.ts';

const maxBytes = 20 * 1024 * 1024;

export const revisionFileRoutes: readonly Route[] = [
  { method: 'get', admits: 'users', path: '/spaces/:space/revisions/:revision/files/:file', show: picture },
];

/** The address of a picture of a revision; its bytes come through the console, with the caller's rights. */
export function pictureUrl({ space, revision }: { space: string; revision: string }, file: string): string {
  return `/spaces/${space}/revisions/${revision}/files/${encodeURIComponent(file)}`;
}

/** The bytes of a picture. Its own policy keeps an SVG that is opened by itself from running anything. */
async function picture({ api, params }: Visit): Promise<Answer> {
  const { space = '', revision = '', file: id = '' } = params;
  const file = await api.get<File>(apiPath`/spaces/${space}/revisions/${revision}/files/${id}`);
  const type = file.contentType.split(';', 1)[0] ?? '';
  if (!pictureTypes.has(type)) throw ApiFailure.of(415, undefined);
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
