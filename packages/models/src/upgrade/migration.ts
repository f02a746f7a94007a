import { mongoDatabase } from '../database/connection.ts';

/**
 * A change to the records of earlier versions of the platform, in steps that each take less than a second or
 * so. A step may be killed, repeated, and run in two processes at once.
 */
export type Migration = {
  /** Never changes: `bindery upgrade --status` and the record of the schema show it. */
  name: string;
  /** Tells operators its effect, as a verb with its object. */
  summary: string;
  /**
   * Whether this version cannot work beside records that are not migrated yet: then its processes wait for
   * the migration. Otherwise they start at once, and the platform is upgraded process by process.
   */
  isBreaking: boolean;
  /** Counts the records that it would change; reads the collection. */
  count(): Promise<number>;
  /**
   * Changes some records after a cursor, which is empty at the start.
   *
   * @returns how many were changed, and the next cursor; none after the last step
   */
  step(cursor: string): Promise<{ changed: number; next?: string }>;
};

const perStep = 100;

/** The steps of a migration that changes records of one collection one by one, in the order of their ids. */
export function changeRecords<Item extends { _id: string }>(
  name: string,
  isOld: object,
  change: (record: Item) => Promise<void>,
): Pick<Migration, 'count' | 'step'> {
  const collection = () => mongoDatabase().collection<Item>(name);
  return {
    count: async () => collection().countDocuments(isOld as never),
    async step(cursor) {
      // Those that are not old count too, so that each step reads a limited number of records.
      const [last] = await collection()
        .find({ _id: { $gt: cursor } } as never, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .skip(perStep - 1)
        .limit(1)
        .toArray();
      const range = { $gt: cursor, ...(last && { $lte: String(last._id) }) };
      const old = await collection()
        .find({ _id: range, ...isOld } as never)
        .sort({ _id: 1 })
        .toArray();
      for (const record of old) await change(record as unknown as Item);
      return { changed: old.length, ...(last && { next: String(last._id) }) };
    },
  };
}
