import type { Page as ContentPage, Space } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { Visit } from '../http/route.ts';
import type { Page } from '../layout/page.ts';
import type { DocumentPlace } from './collectTargets.ts';
import { notRendered, renderDocument, shownQuery } from './renderDocument.ts';

/** The parts of a page of the console that shows a page of a revision. */
type Shown = Pick<Page, 'title' | 'main' | 'rendered'>;

/**
 * Shows the page of a revision that the path names: as on a site, or (`?view=markdown`) as Markdown, as it is
 * in a repository.
 *
 * @param links  further links above it
 */
export async function showPage(
  visit: Visit,
  { space, revision, base, links }: { space: Space; links: Value } & Omit<DocumentPlace, 'space'>,
): Promise<Shown> {
  const { api, params, query } = visit;
  const path = apiPath`/spaces/${space.id}/revisions/${revision}/page/${params['page'] ?? ''}`;
  const source = async () => sourceOf(await api.get<ContentPage>(`${path}?format=markdown`));
  if (query.get('view') === 'markdown') {
    const { title, text } = await source();
    return { title, main: html`<p>${links} <a href="?">Show it as a page</a></p>${text}` };
  }
  const page = await api.get<ContentPage>(`${path}?format=document&${shownQuery}`);
  const { title, id } = page;
  if (page.type !== 'document' || !page.document)
    return { title, main: html`<p>${links}</p><p>It has no text.</p>` };
  const { description, emoji, document } = page;
  const { language } = space;
  const shown = await renderDocument(
    {
      page: { id, title, description, emoji, language },
      document,
      place: { space: space.id, revision, base },
      organization: space.organization,
    },
    visit,
  );
  const top = html`<p>${links} <a href="?view=markdown">Show it as Markdown</a></p>`;
  if ('reason' in shown)
    return {
      title,
      main: html`${top}${notRendered(shown.reason, 'Below is its Markdown.')}${(await source()).text}`,
    };
  return {
    title,
    rendered: { hasMath: shown.hasMath, isHeading: true },
    main: html`${top}${shown.article}`,
  };
}

function sourceOf(page: ContentPage): { title: string; text: Value } {
  const markdown = page.type === 'document' ? (page.markdown ?? '') : '';
  return {
    title: page.title,
    text: html`<pre tabindex="0" role="region" aria-label="Markdown of the page">${markdown}</pre>`,
  };
}
