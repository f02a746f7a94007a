import { ensureIndexes, RestorationUnfinished, upgradeRecords } from '@bindery/models';
import { Refusal } from '../refusal.ts';

/**
 * Creates collections and indexes, and brings old records up to date.
 *
 * @throws Refusal for a database that has only a part of a backup
 */
export async function upgradeDatabase(): Promise<void> {
  try {
    await ensureIndexes();
  } catch (error) {
    throw error instanceof RestorationUnfinished ? new Refusal(error.message, [], { cause: error }) : error;
  }
  await upgradeRecords();
}
