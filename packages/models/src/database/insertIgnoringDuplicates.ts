import type { Collection } from 'mongoose';

const duplicateKey = 11_000;

/** The error of an insertion of which some records failed. */
type PartialFailure = { insertedCount: number; writeErrors: { code?: unknown }[] | { code?: unknown } };

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
    if (!isPartialFailure(error)) throw error;
    const errors = [error.writeErrors].flat();
    if (errors.length === 0 || errors.some(({ code }) => code !== duplicateKey)) throw error;
    return error.insertedCount;
  }
}

function isPartialFailure(error: unknown): error is PartialFailure {
  return error instanceof Error && 'writeErrors' in error && 'insertedCount' in error;
}
