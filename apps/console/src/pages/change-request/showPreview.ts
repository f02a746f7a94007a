import type { ChangeRequest, PagePreview, Space } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { Visit } from '../../http/route.ts';
import { notRendered, renderDocument, shownQuery } from '../../rendering/renderDocument.ts';

/**
 * Shows the page of an editor with another text, as on a site.
 *
 * @throws ApiFailure when the API refuses the text
 */
export async function showPreview(visit: Visit, markdown: string): Promise<Value> {
  const { api, params } = visit;
  const { space: id = '', number = '', page = '' } = params;
  const path = apiPath`/spaces/${id}/change-requests/${number}`;
  const [space, { revision }, { body }] = await Promise.all([
    api.get<Space>(apiPath`/spaces/${id}`),
    api.get<ChangeRequest>(path),
    api.send<PagePreview>({
      method: 'POST',
      path: `${path}/content${apiPath`/page/${page}`}/preview?${shownQuery}`,
      json: { markdown },
    }),
  ]);
  const { document, ...head } = body;
  const base = `/spaces/${space.id}/change-requests/${number}/read`;
  const shown = await renderDocument(
    {
      page: { ...head, id: page, language: space.language },
      document,
      place: { space: space.id, revision, base },
      organization: space.organization,
    },
    visit,
  );
  const main =
    'article' in shown ? html`<div class="preview">${shown.article}</div>` : notRendered(shown.reason);
  return html`<section id="preview" aria-labelledby="about-preview"><h2 id="about-preview">Preview: nothing is saved yet</h2>
${main}</section>`;
}
