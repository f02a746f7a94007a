import { html, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ApiRequest } from '../../api/api.ts';
import { ApiFailure } from '../../api/apiFailure.ts';
import { curlOf } from '../../api/curl.ts';
import type { ApiForm } from '../../http/apiForm.ts';
import { filesIn, type ChosenFile } from '../../http/fields.ts';
import type { Visit } from '../../http/route.ts';
import { fileField } from '../../layout/field.ts';
import { formOf } from '../../layout/form.ts';
import { loadSpace } from '../space/space.ts';

/** The longest form with files to import, of 20 MB: as much as the API takes for one of them. */
export const importBytes = 20 * 1024 * 1024 + 100_000;

/** As many as one import takes. */
const maxFiles = 50;
/** Those that an import reads. */
const endings = ['.docx', '.md', '.markdown', '.txt', '.html', '.htm', '.zip'];

/** Imports files that were uploaded before; their keys are the fields `key`. */
const importFiles = (path: string): ApiForm => ({
  path,
  fileBytes: importBytes,
  request: ({ organization = '', space, number }, fields) => ({
    method: 'POST',
    path: apiPath`/org/${organization}/imports`,
    json: {
      source: { type: 'file', files: fields.getAll('key') },
      target: { space, changeRequest: number },
    },
  }),
  example: { key: 'KEY' },
});

export const importFilesIntoSpace = importFiles('/spaces/:space/imports/files');
export const importFilesIntoChangeRequest = importFiles(
  '/spaces/:space/change-requests/:number/imports/files',
);

/**
 * Uploads the files of a form, whose keys become the fields `key`.
 *
 * @returns the parameters of the path, with the organization of the space
 * @throws ApiFailure
 */
export async function uploadFiles(visit: Visit, fields: URLSearchParams): Promise<Record<string, string>> {
  const { organization, permissions } = await loadSpace(visit);
  // Nothing is stored for those who could not import it.
  if (!permissions.edit) throw notAllowed();
  const params = { ...visit.params, organization };
  for (const key of await uploadAll(filesIn(fields, 'file'), { api: visit.api, params }))
    fields.append('key', key);
  return params;
}

/** @returns the keys of the files; @throws ApiFailure */
async function uploadAll(
  files: readonly ChosenFile[],
  { api, params }: Pick<Visit, 'api' | 'params'>,
): Promise<string[]> {
  if (files.length === 0) throw badFile('No file was chosen.', 'Choose one first.');
  if (files.length > maxFiles)
    throw badFile(`More than ${maxFiles} files were chosen.`, 'Import them in several steps, or as a ZIP.');
  const empty = files.find(({ bytes }) => bytes.length === 0);
  if (empty) throw badFile(`The file ${empty.name} is empty.`, 'Nothing was imported. Choose another one.');
  const keys: string[] = [];
  for (const file of files) {
    const { body } = await api.send<{ url: string; key: string }>(uploadRequest(params, file));
    await api.putFile(body.url, file.bytes);
    keys.push(body.key);
  }
  return keys;
}

function uploadRequest(
  { organization = '' }: Record<string, string>,
  { name, type, bytes }: ChosenFile,
): ApiRequest {
  return {
    method: 'POST',
    path: apiPath`/orgs/${organization}/storage/upload`,
    json: { file: { name, type, size: bytes.length }, kind: 'import_file' },
  };
}

function notAllowed(): ApiFailure {
  return new ApiFailure({ status: 403, type: 'forbidden', message: 'You may not import here.' });
}

function badFile(message: string, action: string): ApiFailure {
  return new ApiFailure({ status: 400, type: 'invalid_request', message, action });
}

/** The form that imports files from the computer of the user. */
export function uploadForm(
  form: ApiForm,
  { visit, organization }: { visit: Visit; organization: string },
): Html {
  const { publicUrl } = visit.platform.config.api;
  const example = { name: 'manual.docx', type: '', bytes: new Uint8Array(1) };
  return html`<h2>Import files</h2>
<p>Word, Markdown, HTML, text, or ZIP archives of them, also exports of Confluence and Notion. It runs as a job, whose page shows what it did.</p>
${formOf(form, {
  visit,
  params: { organization },
  button: 'Import the files',
  fields: fileField(
    { name: 'file', label: 'Files', hint: `Up to ${maxFiles}, of 20 MB in all.` },
    { endings, isMultiple: true },
  ),
  before: `# "size" is that of the file in bytes. The answer has URL and KEY.
${curlOf(uploadRequest({ organization }, example), publicUrl)}
curl -T manual.docx 'URL'
`,
})}`;
}
