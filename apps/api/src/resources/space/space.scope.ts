import { Id, notFound } from '@bindery/contract';
import { Member, Organization, Space, type MemberRecord, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { root } from '../../http/scope.ts';
import { qualified } from '../../permissions/role.ts';
import { roleInSpace, spacePermissions } from '../../permissions/space.ts';
import type { Actor } from '../../http/actor.ts';

/** A space, for whoever may read it; for everybody else it does not exist. */
export const inSpace = root.scope({
  name: 'Space',
  path: '/spaces/:spaceId',
  params: { spaceId: Id },
  load: async ({ actor, params }) => loadVisibleSpace(actor, params.spaceId),
  permissions: ({ role }) => qualified('space', spacePermissions({ role })),
});

/** The same place for the operations that also take a deleted space: it is there for those who may restore it. */
export const inSpaceOrDeleted = root.scope({
  name: 'Space',
  path: '/spaces/:spaceId',
  params: { spaceId: Id },
  load: async ({ actor, params }) => loadSpace(actor, params.spaceId),
  permissions: ({ role }) => qualified('space', spacePermissions({ role })),
});

/** @throws not_found when the space is absent, deleted, or not visible to the caller: existence is hidden */
export async function loadVisibleSpace(actor: Actor, spaceId: string) {
  const found = await loadSpace(actor, spaceId);
  if (found.space.deletedAt) throw notFound('space', spaceId);
  return found;
}

/** @throws not_found, also for a deleted space when the caller is not its admin */
async function loadSpace(actor: Actor, spaceId: string) {
  const space = await Space.findById(spaceId).lean<SpaceRecord>();
  const [organization, member] = space ? await loadMembership(actor, space.organization) : [];
  const role = space && member ? roleInSpace({ member, space }) : null;
  if (!space || !organization || !role || (space.deletedAt && role !== 'admin')) throw notFound('space', spaceId);
  return { space, organization, role };
}

async function loadMembership(actor: Actor, organizationId: string) {
  return Promise.all([
    Organization.findById(organizationId).lean<OrganizationRecord>(),
    Member.findOne({ user: actor.user.id, organization: organizationId }).lean<MemberRecord>(),
  ]);
}
