import type { ChangeRequest, Space } from '@bindery/contract';
import { apiPath } from '@bindery/runtime';
import type { Visit } from '../http/route.ts';
import type { Crumb } from '../layout/page.ts';
import { mayUse } from '../session/mayUse.ts';
import { nameOfChangeRequest } from './links.ts';
import { belowSpace, loadSpace } from './space/space.ts';

/** The main content of a space, or the content of a change request. */
export type Content = {
  space: Space;
  /** Undefined for the main content. */
  changeRequest: ChangeRequest | undefined;
  revision: string;
  /** Its path in the console, and in the API. */
  path: string;
  api: string;
  /** The pages above one that shows it. */
  above: Crumb[];
};

/** Loads the content that a path names: that of `:number` when it has one. @throws ApiFailure */
export async function loadContent(visit: Visit): Promise<Content> {
  const { number } = visit.params;
  const space = await loadSpace(visit);
  const ofSpace = apiPath`/spaces/${space.id}`;
  const above = belowSpace(space);
  if (number === undefined)
    return {
      space,
      changeRequest: undefined,
      revision: space.revision,
      path: `/spaces/${space.id}`,
      api: `${ofSpace}/content`,
      above,
    };
  const api = `${ofSpace}${apiPath`/change-requests/${number}`}`;
  const changeRequest = await visit.api.get<ChangeRequest>(api);
  const path = `/spaces/${space.id}/change-requests/${changeRequest.number}`;
  return {
    space,
    changeRequest,
    revision: changeRequest.revision,
    path,
    api: `${api}/content`,
    above: [...above, { name: nameOfChangeRequest(changeRequest), path }],
  };
}

/** Whether the caller may edit the change request of a content. */
export function mayEditIn({ space, changeRequest }: Content, { session }: Visit): boolean {
  const isOpen = changeRequest !== undefined && changeRequest.status !== 'merged';
  return isOpen && space.permissions.edit && mayUse(session, 'write');
}
