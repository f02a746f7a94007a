import type { ChangeRequest } from '@bindery/contract';
import { apiPath } from '@bindery/runtime';
import { ApiFailure } from '../../api/apiFailure.ts';
import type { Visit } from '../../http/route.ts';
import type { Crumb } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { nameOfChangeRequest } from '../links.ts';
import { belowSpace, loadSpace } from '../space/space.ts';

/**
 * Loads the pages above an editor of a change request.
 *
 * @throws ApiFailure when the caller may not edit it, or it is merged
 */
export async function requireEditor(visit: Visit): Promise<Crumb[]> {
  const space = await loadSpace(visit);
  const changeRequest = await visit.api.get<ChangeRequest>(
    apiPath`/spaces/${space.id}/change-requests/${visit.params['number'] ?? ''}`,
  );
  const refuse = (code: number, message: string) => ApiFailure.of(code, { error: { message } });
  if (!space.permissions.edit || !mayUse(visit.session, 'write'))
    throw refuse(403, 'You may not edit this change request.');
  if (changeRequest.status === 'merged')
    throw refuse(409, 'This change request is merged. Create another one to edit.');
  const path = `/spaces/${space.id}/change-requests/${changeRequest.number}`;
  return [
    ...belowSpace(space),
    { name: nameOfChangeRequest(changeRequest), path },
    { name: 'Pages', path: `${path}/pages` },
  ];
}
