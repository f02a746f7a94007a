import type { ChangeRequest } from '@bindery/contract';
import { html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { page, type Route, type Visit } from '../../http/route.ts';
import type { Page } from '../../layout/page.ts';
import { showPage } from '../../rendering/showPage.ts';
import { nameOfChangeRequest } from '../links.ts';
import { belowSpace, loadSpace } from '../space/space.ts';

export const readPageRoutes: readonly Route[] = [
  page('/spaces/:space/change-requests/:number/read/:page', pageOfChangeRequest),
];

/** A page as a change request has it. */
async function pageOfChangeRequest(visit: Visit): Promise<Page> {
  const { number = '', page: id = '' } = visit.params;
  const space = await loadSpace(visit);
  const changeRequest = await visit.api.get<ChangeRequest>(
    apiPath`/spaces/${space.id}/change-requests/${number}`,
  );
  const path = `/spaces/${space.id}/change-requests/${changeRequest.number}`;
  const changes = `${path}/changes/${id}`;
  const shown = await showPage(visit, {
    space,
    revision: changeRequest.revision,
    base: `${path}/read`,
    links: html`<a href="${changes}">Show what changes</a>`,
  });
  return { ...shown, above: [...belowSpace(space), { name: nameOfChangeRequest(changeRequest), path }] };
}
