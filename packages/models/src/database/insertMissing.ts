import type { Collection } from 'mongoose';
import { duplicateKey } from './connection.ts';

/** The error of an insertion of which some records failed; `index` is that of the record. */
type PartialFailure = { writeErrors: WriteError[] | WriteError };
type WriteError = { code?: unknown; index: number };

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
  return records.length - (await insertMissing(collection, records)).length;
}

/**
 * Inserts the records whose keys are not stored yet: an upsert takes several times as long.
 *
 * @returns the others
 */
export async function insertMissing<Item extends object>(
  collection: Collection,
  records: readonly Item[],
): Promise<Item[]> {
  if (records.length === 0) return [];
  try {
    await collection.insertMany(records as never[], { ordered: false, ignoreUndefined: true });
    return [];
  } catch (error) {
    if (!isPartialFailure(error)) throw error;
    const errors = [error.writeErrors].flat();
    if (errors.length === 0 || errors.some(({ code }) => code !== duplicateKey)) throw error;
    return errors.map(({ index }) => records[index] as Item);
  }
}

function isPartialFailure(error: unknown): error is PartialFailure {
  return error instanceof Error && 'writeErrors' in error;
}
