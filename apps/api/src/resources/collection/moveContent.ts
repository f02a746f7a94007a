import { ApiError, invalid, notFound, type MoveContent } from '@bindery/contract';
import {
  changeTree,
  Collection,
  holdTree,
  rankOf,
  refreshAccess,
  Space,
  tellVisibility,
  type AccessRecord,
  type ClientSession,
  type CollectionRecord,
  type MemberRecord,
  type SpaceRecord,
} from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';
import { contentPosition } from './contentPosition.ts';
import { levelsOf, replaceAncestors } from './descendants.ts';
import { findParent, requireCreation } from './destination.ts';
import { requireAdminBelow } from './requireAdminBelow.ts';

/**
 * Moves a collection with all its content to another parent or position.
 *
 * @throws invalid_request when the destination does not exist, or is the collection itself or below it;
 *   forbidden when the member may not create content there, or when the new parent would pass its grants on
 *   to content of which the member is not an admin; conflict when nothing would change
 */
export async function moveCollection(
  collection: CollectionRecord,
  { member, body }: Moving,
): Promise<CollectionRecord> {
  return changeTree(collection.organization, async (session) => {
    await holdTree([collection._id], session);
    const moved = await Collection.findOne({ _id: collection._id, organization: collection.organization })
      .session(session)
      .lean<CollectionRecord>();
    if (!moved) throw notFound('collection', collection._id);
    const above = await destinationOf(
      moved,
      { member, body, levels: await levelsOf(moved, session) },
      session,
    );
    if (above && [above._id, ...above.ancestors].includes(moved._id))
      throw invalid('body.parent', 'is the collection itself, or a collection that is in it.');
    if (above && grantsMore(above.access, moved.access)) await requireAdminBelow(moved, member, session);
    const changed = await changeRecord(
      Collection,
      moved,
      await placeOf(moved, { above, member, body }, session),
      { session },
    );
    await replaceAncestors(changed, session);
    await refreshAccess([moved._id], session);
    return (await Collection.findById(moved._id).session(session).lean<CollectionRecord>()) ?? changed;
  });
}

/** Moves a space to another parent or position; errors as moveCollection. */
export async function moveSpace(space: SpaceRecord, { member, body }: Moving): Promise<SpaceRecord> {
  return changeTree(space.organization, async (session) => {
    const moved = await Space.findOne({ _id: space._id, organization: space.organization, isDeleted: false })
      .session(session)
      .lean<SpaceRecord>();
    if (!moved) throw notFound('space', space._id);
    const above = await destinationOf(moved, { member, body, levels: 0 }, session);
    const changed = await changeRecord(Space, moved, await placeOf(moved, { above, member, body }, session), {
      session,
    });
    await tellVisibility(moved, changed, session);
    await refreshAccess([moved._id], session);
    return (await Space.findById(moved._id).session(session).lean<SpaceRecord>()) ?? changed;
  });
}

/**
 * Whether the new parent would give someone a role that they do not have in the collection: grants apply to
 * everything below.
 */
function grantsMore(parent: AccessRecord, { grants }: AccessRecord): boolean {
  return parent.grants.some(({ to, role }) => {
    const known = grants.find((grant) => grant.to === to);
    return !known || rankOf(role) > rankOf(known.role);
  });
}

type Moving = { member: MemberRecord; body: MoveContent };
type Moved = CollectionRecord | SpaceRecord;

async function destinationOf(
  moved: Moved,
  moving: Moving & { levels: number },
  session: ClientSession,
): Promise<CollectionRecord | undefined> {
  const above = await parentAfter(moved, moving, session);
  requireCreation(above, moving.member);
  return above;
}

/** The collection that holds it then: the named one, none for null, else the present one. */
async function parentAfter(
  moved: Moved,
  { member, body: { parent }, levels }: Moving & { levels: number },
  session: ClientSession,
): Promise<CollectionRecord | undefined> {
  if (typeof parent === 'string') return findParent(member, { parent, levels }, session);
  if (parent === null || moved.parent === undefined) return undefined;
  const present = await Collection.findById(moved.parent).session(session).lean<CollectionRecord>();
  return present ?? undefined;
}

async function placeOf(
  moved: Moved,
  { above, member, body: { position = {} } }: Moving & { above: CollectionRecord | undefined },
  session: ClientSession,
) {
  const siblingsOf = above?._id ?? moved.organization;
  const place = await contentPosition({ moved, siblingsOf, member }, position, session);
  if (place === undefined) throw new ApiError('conflict', 'It is already there.');
  return {
    parent: above?._id,
    ancestors: above ? [...above.ancestors, above._id] : [],
    siblingsOf,
    position: place,
    updatedAt: new Date(),
  };
}
