import {
  Collection,
  Space,
  type ClientSession,
  type CollectionRecord,
  type InviteRecord,
  type SpaceRecord,
} from '@bindery/models';

/** The space or collection that a link gives access to. */
export type InviteTarget =
  | { type: 'space'; record: SpaceRecord }
  | { type: 'collection'; record: CollectionRecord };

/**
 * Finds the space or collection of a link; undefined when it is deleted or belongs to another organization
 * now.
 */
export async function findInviteTarget(
  { organization, target }: Pick<InviteRecord, 'organization' | 'target'>,
  session: ClientSession | null = null,
): Promise<InviteTarget | undefined> {
  if (!target) return undefined;
  const filter = { _id: target.id, organization };
  if (target.type === 'space') {
    const record = await Space.findOne({ ...filter, isDeleted: false })
      .session(session)
      .lean<SpaceRecord>();
    return record ? { type: 'space', record } : undefined;
  }
  const record = await Collection.findOne(filter).session(session).lean<CollectionRecord>();
  return record ? { type: 'collection', record } : undefined;
}

/** Finds the targets of several links of one organization in two queries, by the ids of the targets. */
export async function findInviteTargets(
  organization: string,
  invites: readonly InviteRecord[],
): Promise<Map<string, InviteTarget>> {
  const idsOf = (type: 'space' | 'collection') =>
    invites.flatMap(({ target }) => (target?.type === type ? [target.id] : []));
  const [spaces, collections] = await Promise.all([
    Space.find({ _id: { $in: idsOf('space') }, organization, isDeleted: false }).lean<SpaceRecord[]>(),
    Collection.find({ _id: { $in: idsOf('collection') }, organization }).lean<CollectionRecord[]>(),
  ]);
  return new Map([
    ...spaces.map((record): [string, InviteTarget] => [record._id, { type: 'space', record }]),
    ...collections.map((record): [string, InviteTarget] => [record._id, { type: 'collection', record }]),
  ]);
}
