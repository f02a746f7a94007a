import type { ImportSource } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ApiForm, Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import type { Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Content } from '../content.ts';
import { importFilesIntoChangeRequest, importFilesIntoSpace, uploadForm } from './uploadFiles.ts';

/** Starts an import, and answers with its job at once. */
export const importWebsite: ApiForm = {
  path: '/organizations/:organization/imports',
  request: ({ organization = '' }, fields) => ({
    method: 'POST',
    path: apiPath`/org/${organization}/imports`,
    json: {
      source: { type: 'website', url: textIn(fields, 'website') ?? '' },
      target: { space: textIn(fields, 'space') ?? '', changeRequest: textIn(fields, 'changeRequest') },
    },
  }),
  example: { website: 'https://example.org/docs/', space: 'SPACE' },
};

/** Imports from a URL, and waits for the end of the import for up to a minute. */
const importFrom = (path: string, contentOf: (params: Record<string, string>) => string): ApiForm => ({
  path,
  request: (params, fields) => ({
    method: 'POST',
    path: `${contentOf(params)}/import`,
    json: { url: textIn(fields, 'url') ?? '', source: textIn(fields, 'source') },
  }),
  example: { url: 'https://example.org/manual.docx', source: 'docx' },
});

export const importIntoSpace = importFrom(
  '/spaces/:space/imports',
  ({ space = '' }) => apiPath`/spaces/${space}/content`,
);
export const importIntoChangeRequest = importFrom(
  '/spaces/:space/change-requests/:number/imports',
  ({ space = '', number = '' }) => apiPath`/spaces/${space}/change-requests/${number}/content`,
);

/** The sources of the form for a URL; a website has a form of its own. */
const sources: Record<Exclude<ImportSource, 'website'>, string> = {
  docx: 'A Word document',
  markdown: 'A Markdown file',
  html: 'A page in HTML',
  zip: 'A ZIP archive of Markdown or HTML',
  confluence: 'An export of Confluence',
  notion: 'An export of Notion',
  'google-docs': 'A public document of Google Docs',
  'github-wiki': 'A wiki of GitHub',
};

/**
 * The forms that import into a content.
 *
 * @param reachesOrganization  whether the session may start imports in the organization of the space
 */
export function importForms(
  visit: Visit,
  {
    content: { space, changeRequest },
    tried,
    reachesOrganization,
  }: { content: Content; tried: Tried | undefined; reachesOrganization: boolean },
): Html {
  const fromUrl = changeRequest ? importIntoChangeRequest : importIntoSpace;
  const urlValue = typed(tried, fromUrl, 'url');
  const fromFiles = changeRequest ? importFilesIntoChangeRequest : importFilesIntoSpace;
  return html`${
    reachesOrganization &&
    html`${uploadForm(fromFiles, { visit, organization: space.organization })}
<h2>Import a website</h2>
<p>Its pages below the URL, at most 100. It runs as a job, whose page shows its result.</p>
${formOf(importWebsite, {
  visit,
  params: { organization: space.organization },
  tried,
  button: 'Import the website',
  isMain: false,
  fields: html`<input type="hidden" name="space" value="${space.id}">
<input type="hidden" name="changeRequest" value="${changeRequest?.id ?? ''}">
${textField({ name: 'website', label: 'URL of the website', isRequired: true }, { type: 'url', value: typed(tried, importWebsite, 'website') })}`,
})}`
  }
<h2>Import a document from its URL</h2>
<p>The next page appears when the import has ended, or after a minute. The import then continues as a job in the list above.</p>
${formOf(fromUrl, {
  visit,
  tried,
  button: 'Import the document',
  isMain: false,
  fields: html`${choiceField({ name: 'source', label: 'Kind' }, { options: Object.entries(sources), value: typed(tried, fromUrl, 'source') })}
${textField({ name: 'url', label: 'URL of the document', hint: 'Without a user name or password.', isRequired: true }, { type: 'url', value: urlValue })}`,
})}`;
}
