import { Collection, Space, type ClientSession, type CollectionRecord } from '@bindery/models';

/** How many collections stand in each other, this one and what is below it, where it is deepest. */
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
 * Gives everything below a collection that was moved its new ancestors, and its new organization.
 *
 * @param moved  as it is now
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
