import type { ContentUpdate } from '@bindery/contract';
import { formRoute } from '../../http/apiForm.ts';
import { page, type Route } from '../../http/route.ts';
import { filePage, filesPage } from './files.ts';
import { addedFile, fetchFile, upload } from './upload.ts';

/** The files of spaces and of change requests. */
export const fileRoutes: readonly Route[] = [
  ...['/spaces/:space', '/spaces/:space/change-requests/:number'].flatMap((place) => [
    page(`${place}/files`, filesPage),
    page(`${place}/files/:file`, filePage),
  ]),
  ...[upload, fetchFile].map((form) =>
    formRoute<ContentUpdate>(form, { next: (visit, { body }) => addedFile(visit, body), again: filesPage }),
  ),
];
