import { Id, notFound, type Role } from '@bindery/contract';
import {
  databaseNow,
  deletedSpaceRetentionDays,
  Organization,
  Space,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { isSpaceShown } from '@bindery/publishing';
import type { Actor, Reader } from '../../http/actor.ts';
import { forReaders, root, type Scope } from '../../http/scope.ts';
import { roleInContent } from '../../permissions/access.ts';
import { qualified } from '../../permissions/role.ts';
import { spacePermissions } from '../../permissions/space.ts';
import { findMembership } from '../organization/organization.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/** A space that the caller may read; for others it does not exist. */
export const inSpace = spaceScope(root, async ({ actor, params }) => loadVisibleSpace(actor, params.spaceId));

/**
 * A space or a deleted space, for operations that accept both; a deleted one exists only for callers who may
 * restore it.
 */
export const inSpaceOrDeleted = spaceScope(root, async ({ actor, params }) =>
  loadSpace(actor, params.spaceId),
);

/**
 * A space for reads that visitors of a site may perform too. A visitor has the role `read` in the spaces of
 * the site.
 */
export const inReadableSpace = spaceScope(forReaders, async ({ reader, params }) =>
  loadReadableSpace(reader, params.spaceId),
);

/** A space or a deleted space, for such reads. */
export const inReadableSpaceOrDeleted = spaceScope(forReaders, async ({ reader, params }) =>
  reader.actor ? loadSpace(reader.actor, params.spaceId) : loadReadableSpace(reader, params.spaceId),
);

/** Creates a scope of spaces; `on` decides which callers are admitted, `load` which spaces exist. */
function spaceScope<Ctx extends object, P extends string, Found extends { space: SpaceRecord; role: Role }>(
  on: Scope<Ctx, P>,
  load: (at: Ctx & { params: { spaceId: string } }) => Promise<Found>,
) {
  return on.scope({
    name: 'Space',
    path: '/spaces/:spaceId',
    params: { spaceId: Id },
    load,
    permissions: ({ role }) => qualified('space', spacePermissions({ role })),
    version: ({ space }) => versionOf(Space, { _id: space._id }),
  });
}

/**
 * @throws not_found when the space is absent, deleted, or invisible to the caller, so that its existence
 *   stays hidden
 */
export async function loadVisibleSpace(actor: Actor, spaceId: string) {
  const found = await loadSpace(actor, spaceId);
  if (found.space.isDeleted) throw notFound('space', spaceId);
  return found;
}

/**
 * @throws not_found, also for a deleted space when the caller is not its admin, or when it can no longer be
 *   restored
 */
async function loadSpace(actor: Actor, spaceId: string) {
  const space = await Space.findById(spaceId).lean<SpaceRecord>();
  const membership = space && (await findMembership(actor, space.organization));
  const role =
    space && membership
      ? roleInContent({ member: membership.member, access: space.access, id: space._id })
      : null;
  if (!space || !membership || !role || isHidden(space, role)) throw notFound('space', spaceId);
  return { space, ...membership, role };
}

/** Uses the clock of MongoDB, as the purge and `restoreSpace` do. */
function isHidden({ isDeleted, deletedAt, purgeStartedAt }: SpaceRecord, role: Role): boolean {
  if (!isDeleted) return false;
  const deletedMs = deletedAt ? databaseNow().getTime() - deletedAt.getTime() : 0;
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
          Space.findOne({
            _id: spaceId,
            organization: visitor.organization,
            isDeleted: false,
          }).lean<SpaceRecord>(),
          Organization.findById(visitor.organization).lean<OrganizationRecord>(),
        ])
      : [];
  if (!space || !organization) throw notFound('space', spaceId);
  return { space, organization, role: 'read' };
}
