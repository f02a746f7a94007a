import { html } from '@bindery/html';
import { page, type Route, type Visit } from '../../http/route.ts';
import type { Page } from '../../layout/page.ts';
import { showPage } from '../../rendering/showPage.ts';
import { loadContent } from '../content.ts';

export const readPageRoutes: readonly Route[] = [
  page('/spaces/:space/change-requests/:number/read/:page', pageOfChangeRequest),
];

/** A page as a change request has it. */
async function pageOfChangeRequest(visit: Visit): Promise<Page> {
  const { space, revision, path, above } = await loadContent(visit);
  const changes = `${path}/changes/${visit.params['page']}`;
  const shown = await showPage(visit, {
    space,
    revision,
    base: `${path}/read`,
    links: html`<a href="${changes}">Show what changes</a>`,
  });
  return { ...shown, above };
}
