import { Collection, Space, type ClientSession, type CollectionRecord } from '@bindery/models';

/** Number of levels of nested collections, from this one down to the deepest. */
export async function levelsOf(
  { _id, ancestors }: CollectionRecord,
  session: ClientSession,
): Promise<number> {
  const [deepest] = await Collection.aggregate<{ above: number }>([
    { $match: { ancestors: _id } },
    { $group: { _id: null, above: { $max: { $size: '$ancestors' } } } },
  ]).session(session);
  return 1 + (deepest ? deepest.above - ancestors.length : 0);
}

/**
 * Updates the ancestors and the organization of all content below a moved collection.
 *
 * @param moved  the updated collection
 */
export async function replaceAncestors(
  { _id, ancestors, organization }: Pick<CollectionRecord, '_id' | 'ancestors' | 'organization'>,
  session: ClientSession,
): Promise<void> {
  const fromHereOn = {
    $slice: ['$ancestors', { $indexOfArray: ['$ancestors', { $literal: _id }] }, { $size: '$ancestors' }],
  };
  const change = [
    {
      $set: {
        ancestors: { $concatArrays: [{ $literal: ancestors }, fromHereOn] },
        organization: { $literal: organization },
      },
    },
  ];
  await Collection.updateMany({ ancestors: _id }, change, { session, updatePipeline: true });
  await Space.updateMany({ ancestors: _id }, change, { session, updatePipeline: true });
}
