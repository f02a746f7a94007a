import type { Collection, Document, Filter } from 'mongodb';
import { chunksOf } from '@bindery/runtime';

/**
 * Items stored under keys `<organization>:<name>` and removed once they are unreachable.
 *
 * An unreachable item is first marked. Storing or finding it again removes the mark, and only an item whose
 * mark is old enough is removed: for that long after finding an item, a writer may refer to it without
 * checking again. Times are MongoDB's.
 */
export type StoredItems = {
  /** Finds which of the keys have an item. */
  find(keys: readonly string[]): Promise<Set<string>>;
  count(organization: string): Promise<number>;
  /** Lists the keys of an organization in order, after `after`. */
  list(organization: string, page: { after: string; limit: number }): Promise<string[]>;
  /** The first key of any organization after `after`. */
  firstAfter(after: string): Promise<string | undefined>;
  /** Lists the keys marked as unreachable, after `after` and up to `upTo`. */
  listUnreachable(range: { after: string; upTo: string }): Promise<string[]>;
  /**
   * Marks these items as unreachable from now on; an existing mark keeps its time. @returns the number of new
   * marks
   */
  noteUnreachable(keys: readonly string[]): Promise<number>;
  noteReachable(keys: readonly string[]): Promise<void>;
  /** Removes the items marked before `before`. @returns their number */
  removeUnreachable(keys: readonly string[], before: Date): Promise<number>;
};

const perQuery = 500;

/** The index of marked items, which is nearly always empty. */
export const unreachableIndex = (keyField: string) => ({
  keys: { [keyField]: 1, unreachableSince: 1 } as const,
  options: { partialFilterExpression: { unreachableSince: { $exists: true } } },
});

/**
 * Creates the access to stored items in one MongoDB collection, with `keep` for writers.
 *
 * @param keyField  the field of the key; with `unreachableSince` it has the index `unreachableIndex`
 */
export function createStoredItems(
  collection: Collection,
  keyField: '_id' | 'filename',
): StoredItems & {
  /**
   * Finds which of the keys have an item, and removes the marks of these items, so that each stays for the
   * whole grace period again.
   */
  keep(keys: readonly string[]): Promise<Set<string>>;
} {
  const where = (condition: object, more: object = {}): Filter<Document> => ({
    [keyField]: condition,
    ...more,
  });
  const keyOf = (record: Document) => String(record[keyField]);
  const onlyKey = { [keyField]: 1, ...(keyField !== '_id' && { _id: 0 }) };
  // The index alone can answer a comparison with a time, but not `$exists`.
  const noted = { unreachableSince: { $gt: new Date(0) } };

  const lift = async (keys: readonly string[]) => {
    await collection.updateMany(where({ $in: keys }, noted), { $unset: { unreachableSince: 1 } });
  };
  const inBatches = async (keys: readonly string[], work: (batch: string[]) => Promise<number>) => {
    let sum = 0;
    for (const batch of chunksOf(keys, perQuery)) sum += await work(batch);
    return sum;
  };

  const find = async (keys: readonly string[]) => {
    const stored = new Set<string>();
    await inBatches(keys, async (batch) => {
      for await (const record of collection.find(where({ $in: batch }), { projection: onlyKey }))
        stored.add(keyOf(record));
      return batch.length;
    });
    return stored;
  };

  return {
    find,
    async keep(keys) {
      // Marks first: an item found before its mark is removed could be deleted in between.
      await inBatches(keys, async (batch) => {
        if (await collection.findOne(where({ $in: batch }, noted), { projection: onlyKey }))
          await lift(batch);
        return batch.length;
      });
      return find(keys);
    },
    // ';' follows ':' in the character set.
    count: async (organization) =>
      collection.countDocuments(where({ $gt: `${organization}:`, $lt: `${organization};` })),
    async list(organization, { after, limit }) {
      const range = { $gt: after > `${organization}:` ? after : `${organization}:`, $lt: `${organization};` };
      const records = collection.find(where(range), { projection: onlyKey }).sort({ [keyField]: 1 });
      return (await records.limit(limit).toArray()).map(keyOf);
    },
    async firstAfter(after) {
      const record = await collection.findOne(where({ $gt: after, $lt: removedPrefix }), {
        projection: onlyKey,
        sort: { [keyField]: 1 },
      });
      return record ? keyOf(record) : undefined;
    },
    async listUnreachable({ after, upTo }) {
      return (
        await collection.find(where({ $gt: after, $lte: upTo }, noted), { projection: onlyKey }).toArray()
      ).map(keyOf);
    },
    noteUnreachable: async (keys) =>
      inBatches(keys, async (batch) => {
        const isNew = { unreachableSince: { $exists: false } };
        return (
          await collection.updateMany(where({ $in: batch }, isNew), [{ $set: { unreachableSince: '$$NOW' } }])
        ).modifiedCount;
      }),
    async noteReachable(keys) {
      await inBatches(keys, async (batch) => lift(batch).then(() => batch.length));
    },
    removeUnreachable: async (keys, before) =>
      inBatches(keys, async (batch) => {
        const isDue = { unreachableSince: { $lte: before } };
        return (await collection.deleteMany(where({ $in: batch }, isDue))).deletedCount;
      }),
  };
}

/**
 * The prefix of the name of a removed file, which may still be read. It sorts after all organizations, whose
 * ids are letters and digits.
 */
export const removedPrefix = '~';
