import { Id, notFound, type Role } from '@bindery/contract';
import { deletedSpaceRetentionDays, Organization, Space, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import type { Actor, Reader } from '../../http/actor.ts';
import { forReaders, root } from '../../http/scope.ts';
import { roleInContent } from '../../permissions/access.ts';
import { qualified } from '../../permissions/role.ts';
import { spacePermissions } from '../../permissions/space.ts';
import { findMembership } from '../organization/organization.scope.ts';
import { isSpaceShown } from '../site/shownTo.ts';
import { versionOf } from '../versionOf.ts';

/** A space, for whoever may read it; for everybody else it does not exist. */
export const inSpace = root.scope({
  name: 'Space',
  path: '/spaces/:spaceId',
  params: { spaceId: Id },
  load: async ({ actor, params }) => loadVisibleSpace(actor, params.spaceId),
  permissions: ({ role }) => qualified('space', spacePermissions({ role })),
  version: ({ space }) => versionOf(Space, { _id: space._id }),
});

/** The same place for the operations that also take a deleted space: it is there for those who may restore it. */
export const inSpaceOrDeleted = root.scope({
  name: 'Space',
  path: '/spaces/:spaceId',
  params: { spaceId: Id },
  load: async ({ actor, params }) => loadSpace(actor, params.spaceId),
  permissions: ({ role }) => qualified('space', spacePermissions({ role })),
  version: ({ space }) => versionOf(Space, { _id: space._id }),
});

/** The same place for reads that the visitors of a site may do too: a visitor has the role `read` in the spaces of the site. */
export const inReadableSpace = forReaders.scope({
  name: 'Space',
  path: '/spaces/:spaceId',
  params: { spaceId: Id },
  load: async ({ reader, params }) => loadReadableSpace(reader, params.spaceId),
  permissions: ({ role }) => qualified('space', spacePermissions({ role })),
});

/** The same place with deleted spaces, for those who may restore them. */
export const inReadableSpaceOrDeleted = forReaders.scope({
  name: 'Space',
  path: '/spaces/:spaceId',
  params: { spaceId: Id },
  load: async ({ reader, params }) => (reader.actor ? loadSpace(reader.actor, params.spaceId) : loadReadableSpace(reader, params.spaceId)),
  permissions: ({ role }) => qualified('space', spacePermissions({ role })),
});

/** @throws not_found when the space is absent, deleted, or not visible to the caller: existence is hidden */
export async function loadVisibleSpace(actor: Actor, spaceId: string) {
  const found = await loadSpace(actor, spaceId);
  if (found.space.isDeleted) throw notFound('space', spaceId);
  return found;
}

/** @throws not_found, also for a deleted space when the caller is not its admin, or when it cannot be restored any more */
async function loadSpace(actor: Actor, spaceId: string) {
  const space = await Space.findById(spaceId).lean<SpaceRecord>();
  const membership = space && (await findMembership(actor, space.organization));
  const role = space && membership ? roleInContent({ member: membership.member, access: space.access, id: space._id }) : null;
  if (!space || !membership || !role || isHidden(space, role)) throw notFound('space', spaceId);
  return { space, ...membership, role };
}

function isHidden({ isDeleted, deletedAt, purgeStartedAt }: SpaceRecord, role: Role): boolean {
  if (!isDeleted) return false;
  const deletedMs = deletedAt ? Date.now() - deletedAt.getTime() : 0;
  return role !== 'admin' || purgeStartedAt !== undefined || deletedMs > deletedSpaceRetentionDays * dayMs;
}

const dayMs = 24 * 60 * 60 * 1000;

async function loadReadableSpace(
  { actor, visitor }: Reader,
  spaceId: string,
): Promise<{ space: SpaceRecord; organization: OrganizationRecord; role: Role }> {
  if (actor) return loadVisibleSpace(actor, spaceId);
  const [space, organization] =
    visitor.isAdmitted && (await isSpaceShown(spaceId, visitor))
      ? await Promise.all([
          Space.findOne({ _id: spaceId, organization: visitor.organization, isDeleted: false }).lean<SpaceRecord>(),
          Organization.findById(visitor.organization).lean<OrganizationRecord>(),
        ])
      : [];
  if (!space || !organization) throw notFound('space', spaceId);
  return { space, organization, role: 'read' };
}
