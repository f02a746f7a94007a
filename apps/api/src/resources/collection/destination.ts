import { forbidden, invalid } from '@bindery/contract';
import { Collection, type ClientSession, type CollectionRecord, type MemberRecord } from '@bindery/models';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { collectionPermissions } from '../../permissions/collection.ts';
import { organizationPermissions } from '../../permissions/organization.ts';

/** Maximum nesting of collections: an endless chain would make every operation in it expensive. */
const maxDepth = 100;

/**
 * The collection that `body.parent` names.
 *
 * @throws invalid_request when the member sees no such collection in the organization, or when it is nested
 *   too deeply for `levels` more levels
 */
export async function findParent(
  member: MemberRecord,
  { parent, levels }: { parent: string; levels: number },
  session?: ClientSession,
): Promise<CollectionRecord> {
  const found = await Collection.findOne({
    _id: parent,
    organization: member.organization,
    ...visibleTo(member),
  })
    .session(session ?? null)
    .lean<CollectionRecord>();
  if (!found)
    throw invalid('body.parent', 'is not the id of a collection of this organization that you may see.');
  if (found.ancestors.length + levels >= maxDepth)
    throw invalid('body.parent', `would nest collections deeper than ${maxDepth}.`);
  return found;
}

/** @throws invalid_request when the member cannot see the collection, or may not create content in it */
export async function findParentForNew(
  member: MemberRecord,
  { parent, levels }: { parent: string; levels: number },
  session?: ClientSession,
): Promise<CollectionRecord> {
  const found = await findParent(member, { parent, levels }, session);
  if (!mayCreateIn(found, member))
    throw invalid('body.parent', 'is a collection in which you may not create anything.');
  return found;
}

/**
 * Requires that the member may create content in the destination of a move: a collection, or without one the
 * root of the organization.
 *
 * @throws forbidden
 */
export function requireCreation(destination: CollectionRecord | undefined, member: MemberRecord): void {
  if (!destination && !organizationPermissions(member).createContent)
    throw forbidden('organization.createContent');
  if (destination && !mayCreateIn(destination, member)) throw forbidden('collection.create');
}

function mayCreateIn({ access }: CollectionRecord, member: MemberRecord): boolean {
  return collectionPermissions({ role: roleInContent({ member, access }) }).create;
}
