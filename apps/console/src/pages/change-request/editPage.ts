import type { ChangeRequest, Page as ContentPage } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { ApiFailure } from '../../api/apiFailure.ts';
import { assetPaths } from '../../assets/assets.ts';
import { refused, type ApiForm } from '../../http/apiForm.ts';
import type { Outcome } from '../../http/outcome.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { curlDetails } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { showPreview } from './showPreview.ts';
import { requireEditor } from './requireEditor.ts';

const place = '/spaces/:space/change-requests/:number/edit/:page';
const attempts = 3;
/** For a text of 600 kB: a form escapes characters outside ASCII, each byte as three. */
const maxBytes = 2_000_000;

/** Replaces the text of a page. The stored text is sent back with what Markdown expresses as tags. */
const save: Pick<ApiForm, 'request'> = {
  request: ({ space = '', number = '', page: id = '' }, fields) => ({
    method: 'POST',
    path: apiPath`/spaces/${space}/change-requests/${number}/content`,
    json: {
      changes: [
        {
          operation: 'update_page',
          page: id,
          document: { markdown: textIn(fields) },
        },
      ],
    },
  }),
};

const withEditor: Pick<Page, 'script' | 'rendered'> = {
  script: assetPaths.editor,
  // A preview that the script loads brings no styles.
  rendered: { hasMath: true, isHeading: false },
};

const textIn = (fields: URLSearchParams) => (fields.get('markdown') ?? '').replaceAll('\r\n', '\n');

export const editPageRoutes: readonly Route[] = [
  page(place, async (visit) => editor(visit)),
  {
    method: 'post',
    admits: 'users',
    path: place,
    maxBytes,
    act: async (visit, fields) =>
      fields.has('preview') ? previewPage(visit, fields) : savePage(visit, fields),
  },
];

type Stored = { page: ContentPage; markdown: string; documentId: string };

async function loadStored({ api, params }: Visit): Promise<Stored> {
  const { space = '', number = '', page: id = '' } = params;
  const stored = await api.get<ContentPage>(
    apiPath`/spaces/${space}/change-requests/${number}/content/page/${id}${{ format: 'markdown' }}`,
  );
  if (stored.type !== 'document')
    throw ApiFailure.of(404, { error: { message: `A ${stored.type} has no text to edit.` } });
  return { page: stored, markdown: stored.markdown ?? '', documentId: stored.documentId ?? '' };
}

/**
 * Saves a text when the page still has the one that the editor began with. `If-Match` makes sure of that also
 * between the look-up and the write; a change elsewhere in the change request only repeats it.
 */
async function savePage(visit: Visit, fields: URLSearchParams): Promise<Outcome> {
  const { api, params } = visit;
  const { space = '', number = '' } = params;
  for (let attempt = 1; ; attempt += 1) {
    const { headers } = await api.send<ChangeRequest>({
      method: 'GET',
      path: apiPath`/spaces/${space}/change-requests/${number}`,
    });
    const stored = await loadStored(visit);
    if (stored.documentId !== fields.get('documentId')) return conflict(visit, { stored, fields });
    try {
      await api.send({ ...save.request(params, fields), ifMatch: headers.get('etag') ?? undefined });
      return { location: `/spaces/${space}/change-requests/${number}/changes/${stored.page.id}` };
    } catch (failure) {
      if (!(failure instanceof ApiFailure) || failure.status === 401) throw failure;
      if (failure.status === 412 && attempt < attempts) continue;
      return refused(failure, await editor(visit, { fields }));
    }
  }
}

/** Shows the text as on a site, below the form with it. Saves nothing. */
async function previewPage(visit: Visit, fields: URLSearchParams): Promise<Outcome> {
  const edited = await editor(visit, { fields });
  try {
    const preview = await showPreview(visit, textIn(fields));
    return { ...edited, main: html`${edited.main}${preview}` };
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status === 401) throw failure;
    return refused(failure, edited);
  }
}

async function editor(visit: Visit, tried?: { fields: URLSearchParams }): Promise<Page> {
  const above = await requireEditor(visit);
  const stored = await loadStored(visit);
  const { title } = stored.page;
  return {
    title: `Edit ${title}`,
    above,
    ...withEditor,
    main: textForm(visit, {
      markdown: tried?.fields.get('markdown') ?? stored.markdown,
      documentId: tried?.fields.get('documentId') ?? stored.documentId,
      button: 'Save',
    }),
  };
}

function textForm(
  visit: Visit,
  { markdown, documentId, button }: { markdown: string; documentId: string; button: string },
): Html {
  const example = save.request(visit.params, new URLSearchParams({ markdown: 'The new text.' }));
  const shown = `${visit.url}#preview`;
  return html`<form id="editor" method="post" action="${visit.url}">
<input type="hidden" name="documentId" value="${documentId}">
<label for="markdown">Text</label>
<textarea id="markdown" name="markdown" class="page-text" rows="24" spellcheck="true" aria-describedby="about-markdown">
${markdown}</textarea>
<p class="hint" id="about-markdown">Markdown with the tags of the dialect, such as {% hint %}.</p>
<button class="main">${button}</button> <button name="preview" value="true" formaction="${shown}">Preview</button></form>
${curlDetails(example, { visit, button })}`;
}

/** Both texts, when somebody else has changed the page since the editor was opened. */
async function conflict(
  visit: Visit,
  { stored, fields }: { stored: Stored; fields: URLSearchParams },
): Promise<Page> {
  return {
    title: `${stored.page.title} was changed meanwhile`,
    above: await requireEditor(visit),
    status: 409,
    ...withEditor,
    main: html`<p class="note problem" role="alert">Somebody has changed this page since you opened it. Nothing was saved.
Bring both texts together in the form, and save it.</p>
<h2>The text as it is now</h2>
<pre tabindex="0" role="region" aria-label="The text as it is now">${stored.markdown}</pre>
<h2>Your text</h2>
${textForm(visit, {
  markdown: fields.get('markdown') ?? '',
  documentId: stored.documentId,
  button: 'Save over the text above',
})}`,
  };
}
