import type { ContentUpdate } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ApiForm, Tried } from '../../http/apiForm.ts';
import type { Outcome } from '../../http/outcome.ts';
import { textIn } from '../../http/fields.ts';
import type { Visit } from '../../http/route.ts';
import { fileField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';

const place = '/spaces/:space/change-requests/:number/files';

/** A form that adds a file to a change request. */
const insert = (
  form: Omit<ApiForm, 'request'>,
  fileOf: (fields: URLSearchParams) => Record<string, string | undefined>,
): ApiForm => ({
  ...form,
  request: ({ space = '', number = '' }, fields) => ({
    method: 'POST',
    path: apiPath`/spaces/${space}/change-requests/${number}/content${{ compat: 'false' }}`,
    json: { changes: [{ operation: 'insert_files', files: [fileOf(fields)] }] },
  }),
});

/** Sends a file from the computer of the user. */
export const upload = insert(
  {
    path: place,
    // 1 MB, the most that the API takes in a request, and what a browser writes around it.
    fileBytes: 1_100_000,
    example: { 'file.name': 'plan.png', 'file.type': 'image/png', 'file.base64': 'BASE64' },
    secrets: ['file.base64'],
  },
  (fields) => ({
    name: textIn(fields, 'file.name'),
    contentType: textIn(fields, 'file.type'),
    base64: textIn(fields, 'file.base64'),
  }),
);

/** Lets the API fetch a file. */
export const fetchFile = insert(
  { path: `${place}/fetch`, example: { name: 'plan.png', url: 'https://example.org/plan.png' } },
  (fields) => ({ name: textIn(fields, 'name') ?? '', url: textIn(fields, 'url') ?? '' }),
);

/** The page of the file that was added. */
export function addedFile({ params }: Visit, { insertedFiles = [] }: ContentUpdate): Outcome {
  const path = `/spaces/${params['space']}/change-requests/${params['number']}/files`;
  const [file] = insertedFiles;
  return { location: file ? `${path}/${encodeURIComponent(file.id)}` : path };
}

/** The forms that add a file. */
export function uploadForms(visit: Visit, tried: Tried | undefined): Html {
  const value = (name: string) => typed(tried, fetchFile, name);
  const name = { name: 'name', label: 'Name', hint: 'With its extension.', isRequired: true };
  const url = { name: 'url', label: 'URL', hint: 'Of a publicly readable file.', isRequired: true };
  return html`<h2>Upload a file</h2>
${formOf(upload, {
  visit,
  tried,
  button: 'Upload',
  fields: fileField({
    name: 'file',
    label: 'File',
    hint: 'At most 1 MB. A number is added to a name that exists.',
  }),
})}
<h2>Fetch a file</h2>
${formOf(fetchFile, {
  visit,
  tried,
  button: 'Fetch',
  isMain: false,
  fields: html`${textField(name, { value: value('name') })}
${textField(url, { type: 'url', value: value('url') })}`,
})}`;
}
