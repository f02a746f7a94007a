import type { DocumentTree } from '@bindery/contract';
import { html, trusted, type Value } from '@bindery/html';
import type { RenderRequest } from '@bindery/render';
import type { Visit } from '../http/route.ts';
import { collectTargets, type DocumentPlace } from './collectTargets.ts';
import { loadExcerpts } from './loadExcerpts.ts';

/**
 * A document to show: the head of its page, its tree as a member reads it, and where it stands. Its
 * specifications are those of the organization.
 */
type ShownDocument = {
  page: RenderRequest['page'];
  document: DocumentTree;
  place: DocumentPlace;
  organization: string;
};

/** The query with which the API gives the tree of a page to be shown. */
export const shownQuery = 'evaluated=deterministic-only&dereferenced=true';

/**
 * Renders a document, with its title.
 *
 * @returns `reason` instead when it cannot be rendered
 */
export async function renderDocument(
  { page, document, place, organization }: ShownDocument,
  { api, platform, session, signal }: Visit,
): Promise<{ article: Value; hasMath: boolean } | { reason: string }> {
  const [targets, specs] = await Promise.all([
    collectTargets(document, { api, place }),
    loadExcerpts(document, { api, signal, organization }),
  ]);
  const rendered = await platform.renderers.render(
    {
      page,
      document,
      reader: 'member',
      medium: 'screen',
      externalLinks: 'self',
      ...targets,
      specs,
    },
    { session: session.session._id, signal },
  );
  if (typeof rendered === 'string') return { reason: rendered };
  const { direction, hasMath } = rendered;
  return {
    article: html`<article class="page" lang="${page.language ?? false}" dir="${direction}">${trusted(rendered.html)}</article>`,
    hasMath,
  };
}

/** Says why a page is not shown as it is on a site. @param then  what is shown instead */
export function notRendered(reason: string, then?: string): Value {
  return html`<p class="note problem" role="alert">The page cannot be shown as on a site. ${reason} ${then}</p>`;
}
