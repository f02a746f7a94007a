import { indexFormat, IndexTask, Space, SpaceIndex, type SpaceIndexRecord, type SpaceRecord } from '@bindery/models';

const spacesAtOnce = 500;

/**
 * Asks for an index of the spaces that have none, or one of an earlier kind or state: those of an earlier version of the platform, and
 * whatever else nobody asked for. Safe to run at any time.
 *
 * @returns how many were asked for
 */
export async function requestMissingIndexes(signal: AbortSignal): Promise<number> {
  let requested = 0;
  let after = '';
  for (;;) {
    if (signal.aborted) return requested;
    const spaces = await Space.find({ _id: { $gt: after }, isDeleted: false }, { organization: 1, revision: 1 })
      .sort({ _id: 1 })
      .limit(spacesAtOnce)
      .lean<SpaceRecord[]>();
    const indexes = await SpaceIndex.find({ _id: { $in: spaces.map(({ _id }) => _id) } }).lean<SpaceIndexRecord[]>();
    const indexOf = new Map(indexes.map((index) => [index._id, index]));
    const missing = spaces.filter(({ _id, revision }) => {
      const index = indexOf.get(_id);
      return index?.revision !== revision || index.format !== indexFormat;
    });
    // One that waits already stays where it is in the row.
    const requests = missing.map(({ _id, organization }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: { organization, requestedAt: new Date(), version: 1 } }, upsert: true },
    }));
    if (requests.length > 0) requested += (await IndexTask.bulkWrite(requests)).upsertedCount;
    const last = spaces.at(-1);
    if (!last || spaces.length < spacesAtOnce) return requested;
    after = last._id;
  }
}
