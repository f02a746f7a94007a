import { pictureTypes, type File } from '@bindery/contract';
import { apiPath } from '@bindery/runtime';
import type { Answer } from '../http/answer.ts';
import type { Route, Visit } from '../http/route.ts';

export const revisionFileRoutes: readonly Route[] = [
  { method: 'get', admits: 'users', path: '/spaces/:space/revisions/:revision/files/:file', show: sendFile },
];

/** The address of a file of a revision; its bytes come through the console, with the caller's rights. */
export function fileUrl({ space, revision }: { space: string; revision: string }, file: string): string {
  return `/spaces/${space}/revisions/${revision}/files/${encodeURIComponent(file)}`;
}

/** Whether browsers show a file as a picture; they save all others. */
export function isPicture({ contentType }: Pick<File, 'contentType'>): boolean {
  return pictureTypes.has(typeOf(contentType));
}

/** The bytes of a file. Their own policy keeps an SVG that is opened by itself from running anything. */
async function sendFile({ api, params, signal }: Visit): Promise<Answer> {
  const { space = '', revision = '', file: id = '' } = params;
  const file = await api.get<File>(apiPath`/spaces/${space}/revisions/${revision}/files/${id}`);
  return {
    status: 200,
    contentType: isPicture(file) ? typeOf(file.contentType) : 'application/octet-stream',
    body: await api.openFile(file.downloadURL, { signal }),
    headers: {
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Content-Disposition': isPicture(file) ? 'inline' : `attachment; ${nameOf(file)}`,
    },
  };
}

/** A type without its parameters. */
function typeOf(contentType: string): string {
  return contentType.split(';', 1)[0] ?? '';
}

/** The name of a saved file, as a parameter of a header (RFC 8187). */
function nameOf({ name }: File): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `filename*=UTF-8''${encoded}`;
}
