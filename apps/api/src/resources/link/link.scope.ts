import { loadRevision, openTree, loadFiles, type LinkedItem } from '@bindery/content';
import { Id, notFound } from '@bindery/contract';
import type {
  ChangeRequestRecord,
  MemberRecord,
  OrganizationRecord,
  RevisionRecord,
  SpaceRecord,
} from '@bindery/models';
import type { Scope } from '../../http/scope.ts';
import type { Platform } from '../../platform.ts';
import { inChangeRequest } from '../change-request/changeRequest.scope.ts';
import { inSpace } from '../space/space.scope.ts';

/** The content with the links: the main content of a space, or the content of a change request. */
export type LinkedContent = { revision: RevisionRecord; changeRequest?: ChangeRequestRecord };

/** The caller, a member: links lead to and from other spaces, of which each member sees a different set. */
export type LinkViewer = InSpace & { platform: Platform };

type InSpace = { space: SpaceRecord; organization: OrganizationRecord; member: MemberRecord };

type InContent = Scope<InSpace & { linked: LinkedContent }, 'space.view'>;

export const inSpaceContent = inSpace.scope({
  name: 'Space content',
  path: '/content',
  params: {},
  load: async ({ space }): Promise<{ linked: LinkedContent }> => ({
    linked: { revision: await loadRevision(space._id, space.revision) },
  }),
  permissions: () => ({}),
});

export const inContentOfChangeRequest = inChangeRequest.scope({
  name: 'Change request content',
  path: '/content',
  params: {},
  load: async ({ space, changeRequest }): Promise<{ linked: LinkedContent }> => ({
    linked: { revision: await loadRevision(space._id, changeRequest.revision), changeRequest },
  }),
  permissions: () => ({}),
});

/** A page of the content, by id. */
export function inPageOf(on: InContent) {
  return on.scope({
    name: on.name,
    path: '/page/:pageId',
    params: { pageId: Id },
    load: async ({ linked: { revision }, params }) => {
      const found = (await openTree(revision.organization, revision.pages)).page(params.pageId);
      if (!found) throw notFound('page', params.pageId);
      return { page: found.page, item: { kind: 'page', id: found.page.id } as LinkedItem };
    },
    permissions: () => ({}),
  });
}

/** A file of the content, by id. */
export function inFileOf(on: InContent) {
  return on.scope({
    name: on.name,
    path: '/files/:fileId',
    params: { fileId: Id },
    load: async ({ linked: { revision }, params }) => {
      const file = (await loadFiles(revision)).find(({ id }) => id === params.fileId);
      if (!file) throw notFound('file', params.fileId);
      return { item: { kind: 'file', id: file.id } as LinkedItem };
    },
    permissions: () => ({}),
  });
}
