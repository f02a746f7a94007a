import { findRevision, historyPoint, loadRevision } from '@bindery/content';
import { Id, notFound } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import type { Reader } from '../../http/actor.ts';
import type { Scope } from '../../http/scope.ts';
import { inReadableChangeRequest } from '../change-request/changeRequest.scope.ts';
import { inReadableSpace } from '../space/space.scope.ts';

/** The content that routes read: the main content or another revision. The routes are the same for both. */
export type Content = {
  revision: RevisionRecord;
  /** The branch last in sync, if the history of its pages is shown. */
  syncedWith?: string | undefined;
};

/** Scope that content routes can be added to. */
export type ContentScope = Scope<{ content: Content; reader: Reader }, 'space.view'>;

/** The main content of a space: its active revision. */
export const inMainContent = inReadableSpace.scope({
  name: 'Space content',
  path: '/content',
  params: {},
  load: async ({ space }): Promise<{ content: Content }> => {
    const revision = await loadRevision(space._id, space.revision);
    return { content: { revision, syncedWith: historyPoint(space) } };
  },
  permissions: () => ({}),
});

/** The content of a change request: its active revision. */
export const inChangeRequestContent = inReadableChangeRequest.scope({
  name: 'Change request content',
  path: '/content',
  params: {},
  load: async ({ space, changeRequest }): Promise<{ content: Content }> => {
    const revision = await loadRevision(space._id, changeRequest.revision);
    return { content: { revision, syncedWith: historyPoint(space) } };
  },
  permissions: () => ({}),
});

/**
 * A revision of a space, by id, even one that was never main content. Visitors of a site see only the present
 * one.
 */
export const inRevision = inReadableSpace.scope({
  name: 'Revision',
  path: '/revisions/:revisionId',
  params: { revisionId: Id },
  load: async ({ space, reader, params }): Promise<{ content: Content }> => {
    const isHidden = reader.visitor && params.revisionId !== space.revision;
    const revision = isHidden ? undefined : await findRevision(space._id, params.revisionId);
    if (!revision) throw notFound('revision', params.revisionId);
    return { content: { revision, syncedWith: historyPoint(space) } };
  },
  permissions: () => ({}),
});
