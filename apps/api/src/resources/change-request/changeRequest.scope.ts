import { Id, notFound } from '@bindery/contract';
import { ChangeRequest, type ChangeRequestRecord, type SpaceRecord } from '@bindery/models';
import { changeRequestPermissions } from '../../permissions/changeRequest.ts';
import { qualified } from '../../permissions/role.ts';
import type { Thread } from '../../records/thread.ts';
import { inReadableSpace, inSpace } from '../space/space.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/** A change request of a space, by its id or its number. */
export const inChangeRequest = inSpace.scope({
  name: 'Change request',
  path: '/change-requests/:changeRequestId',
  params: { changeRequestId: Id },
  load: async ({ space, params }) => {
    const changeRequest = await loadChangeRequest(space, params.changeRequestId);
    const thread: Thread = { space, changeRequest };
    return { changeRequest, thread };
  },
  permissions: ({ actor, role, changeRequest }) =>
    qualified('changeRequest', changeRequestPermissions({ role, user: actor.user.id, changeRequest })),
  version: ({ changeRequest }) => versionOf(ChangeRequest, { _id: changeRequest._id }),
});

/**
 * A change request for routes that visitors of a site may call too: they get 404, because change requests are
 * not published.
 */
export const inReadableChangeRequest = inReadableSpace.scope({
  name: 'Change request',
  path: '/change-requests/:changeRequestId',
  params: { changeRequestId: Id },
  load: async ({ space, reader, params }) => {
    if (reader.visitor) throw notFound('change request', params.changeRequestId);
    return { changeRequest: await loadChangeRequest(space, params.changeRequestId) };
  },
  permissions: () => ({}),
});

/** @throws not_found when the space has no such change request */
export async function loadChangeRequest(
  space: SpaceRecord,
  idOrNumber: string,
): Promise<ChangeRequestRecord> {
  // No id is all digits.
  const key = /^[1-9]\d{0,8}$/.test(idOrNumber) ? { number: Number(idOrNumber) } : { _id: idOrNumber };
  const changeRequest = await ChangeRequest.findOne({ space: space._id, ...key }).lean<ChangeRequestRecord>();
  if (!changeRequest) throw notFound('change request', idOrNumber);
  return changeRequest;
}
