import { MongoBulkWriteError } from 'mongodb';
import type { Collection } from 'mongoose';

const duplicateKey = 11_000;

/**
 * Inserts records, apart from those whose keys are stored already, for records that follow from their keys:
 * it does not matter which of two concurrent writes stores one.
 *
 * @returns the number of records that were inserted
 */
export async function insertIgnoringDuplicates(
  collection: Collection,
  records: readonly object[],
): Promise<number> {
  if (records.length === 0) return 0;
  try {
    const { insertedCount } = await collection.insertMany(records as never[], { ordered: false });
    return insertedCount;
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    if (errors.length === 0 || errors.some(({ code }) => code !== duplicateKey)) throw error;
    return error.insertedCount;
  }
}
