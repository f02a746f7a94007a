import type { ChangeRequest, ChangeRequestContributor, User } from '@bindery/contract';
import type { ContributionRecord, MergedFromRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';

/** @param mainRevision  the active revision of the space */
export function presentChangeRequest(
  changeRequest: MergedFromRecord,
  { links, userOf, mainRevision }: { links: Links; userOf: (id: string) => User; mainRevision: string },
): ChangeRequest {
  const { _id: id, space, number, revisionInitial, revisionMergedAncestor, revisionMerged } = changeRequest;
  return {
    object: 'change-request',
    id,
    number,
    status: changeRequest.status,
    subject: changeRequest.subject,
    createdBy: userOf(changeRequest.createdBy),
    createdAt: changeRequest.createdAt.toISOString(),
    updatedAt: changeRequest.updatedAt.toISOString(),
    space,
    revision: changeRequest.revision,
    revisionInitial,
    revisionMergedAncestor,
    revisionMerged,
    comments: changeRequest.comments,
    outdated: mainRevision !== (revisionMergedAncestor ?? revisionInitial),
    urls: {
      app: links.app(`/s/${space}/~/changes/${number}`),
      location: links.api(`/spaces/${space}/change-requests/${id}`),
    },
  };
}

export function presentContributor(
  { user, count, updatedAt, actionType }: ContributionRecord,
  userOf: (id: string) => User,
) {
  return {
    user: userOf(user),
    count,
    updatedAt: updatedAt.toISOString(),
    actionType,
  } satisfies ChangeRequestContributor;
}
