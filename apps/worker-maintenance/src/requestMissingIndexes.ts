import {
  indexFormat,
  IndexTask,
  Space,
  SpaceIndex,
  type SpaceIndexRecord,
  type SpaceRecord,
} from '@bindery/models';

const spacesAtOnce = 500;

/**
 * Requests indexing of spaces without an index, or with one of an earlier format or state: from an earlier
 * version of the platform, or because a request is missing. Safe to run at any time.
 *
 * @returns the number of requests
 */
export async function requestMissingIndexes(signal: AbortSignal): Promise<number> {
  let requested = 0;
  let after = '';
  for (;;) {
    if (signal.aborted) return requested;
    const spaces = await Space.find(
      { _id: { $gt: after }, isDeleted: false },
      { organization: 1, revision: 1 },
    )
      .sort({ _id: 1 })
      .limit(spacesAtOnce)
      .lean<SpaceRecord[]>();
    const indexes = await SpaceIndex.find({ _id: { $in: spaces.map(({ _id }) => _id) } }).lean<
      SpaceIndexRecord[]
    >();
    const indexOf = new Map(indexes.map((index) => [index._id, index]));
    const missing = spaces.filter(({ _id, revision }) => {
      const index = indexOf.get(_id);
      return index?.revision !== revision || index.format !== indexFormat;
    });
    // A space that is already waiting keeps its place in the queue.
    const requests = missing.map(({ _id, organization }) => ({
      updateOne: {
        filter: { _id },
        update: { $setOnInsert: { organization, requestedAt: new Date(), version: 1 } },
        upsert: true,
      },
    }));
    if (requests.length > 0) requested += (await IndexTask.bulkWrite(requests)).upsertedCount;
    const last = spaces.at(-1);
    if (!last || spaces.length < spacesAtOnce) return requested;
    after = last._id;
  }
}
