import { forbidden, invalid } from '@bindery/contract';
import { Collection, type ClientSession, type CollectionRecord, type MemberRecord } from '@bindery/models';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { collectionPermissions } from '../../permissions/collection.ts';
import { organizationPermissions } from '../../permissions/organization.ts';

/** So deep collections may stand in each other: a chain without an end would make everything in it dear. */
const maxDepth = 100;

/**
 * The collection that `body.parent` names.
 *
 * @throws invalid_request when the organization has none that the member may see, or when it is too deep to
 *   hold `levels` further levels of collections
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

/** @throws invalid_request when the member may not create anything in the collection, or cannot see it */
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
 * What something is moved to has to take something new from the member: a collection, or without one the root
 * of the organization.
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
