import { ApiError } from '@bindery/contract';
import {
  accessBelow,
  changeTree,
  Collection,
  Grant,
  lockTree,
  noCounts,
  positionAtEnd,
  requestIndexing,
  serialized,
  siblingModels,
  Space,
  withTransaction,
  type ClientSession,
  type CollectionRecord,
  type GrantRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { insertRevision } from './revisions.ts';

/** A space without a position. */
export type UnplacedSpace = Pick<
  SpaceRecord,
  '_id' | 'organization' | 'title' | 'editMode' | 'defaultLevel' | 'createdBy'
> &
  Partial<Pick<SpaceRecord, 'parent' | 'emoji' | 'icon' | 'language'>>;

export type SpaceInsertion = {
  space: UnplacedSpace;
  /** The first revision. */
  revision: RevisionRecord;
  grants?: readonly Pick<GrantRecord, 'principalType' | 'principal' | 'role'>[];
};

/**
 * Adds a space with its first revision, after all entries of its parent.
 *
 * @throws conflict when the parent does not exist (any more)
 */
export async function insertSpace(
  { space: unplaced, revision, grants = [] }: SpaceInsertion,
  session: ClientSession,
): Promise<SpaceRecord> {
  const { _id, organization, parent, defaultLevel } = unplaced;
  const above = parent === undefined ? undefined : await loadParent({ organization, parent }, session);
  const siblingsOf = parent ?? organization;
  const now = new Date();
  const space: SpaceRecord = {
    ...unplaced,
    ancestors: above ? [...above.ancestors, above._id] : [],
    siblingsOf,
    position: await positionAtEnd(siblingModels, siblingsOf, session),
    access: accessBelow(above?.access, { defaultLevel, grants }),
    counts: noCounts,
    lastChangeRequest: 0,
    revision: revision._id,
    createdAt: now,
    updatedAt: now,
    isDeleted: false,
    version: 1,
  };
  await insertRevision(revision, session);
  await Space.create([space], { session });
  await requestIndexing(space, session);
  const granted = grants.map((grant): GrantRecord => ({
    _id: newId(),
    organization,
    targetType: 'space',
    target: _id,
    createdAt: now,
    ...grant,
  }));
  if (granted.length > 0) await Grant.insertMany(granted, { session });
  return space;
}

/** Adds a space in its own transaction. */
export async function addSpace(insertion: SpaceInsertion): Promise<SpaceRecord> {
  const { organization, parent } = insertion.space;
  const insert = async (session: ClientSession) => insertSpace(insertion, session);
  if (parent !== undefined) return changeTree(organization, insert);
  // The root cannot be removed or closed concurrently, so nothing else has to wait for this.
  return serialized(`siblings:${organization}`, async () => withTransaction(insert));
}

async function loadParent(
  { organization, parent }: { organization: string; parent: string },
  session: ClientSession,
) {
  await lockTree(organization, session);
  const collection = await Collection.findOne({ _id: parent, organization })
    .session(session)
    .lean<CollectionRecord>();
  if (!collection)
    throw new ApiError(
      'conflict',
      'The collection was removed while the space was created; choose another `parent`.',
    );
  return collection;
}
