import { createIndexes } from '../database/createIndexes.ts';
import { refuseUnfinishedRestoration } from '../database/restoration.ts';
import { noteSchemaVersion } from './schemaVersion.ts';
import { upgradeSchema, type UpgradeStep } from './upgradeSchema.ts';

/**
 * Creates the collections and indexes that the database lacks, and runs the migrations that it lacks. Safe to
 * run at any time and in several processes at once; a database that is up to date costs a moment.
 *
 * @throws RestorationUnfinished, SchemaTooNew
 */
export async function upgradeDatabase(onStep?: (step: UpgradeStep) => void): Promise<void> {
  await ensureIndexes();
  await upgradeSchema({ onStep });
}

/**
 * Creates the missing collections and indexes. Safe to run at any time and in several processes at once.
 *
 * @throws RestorationUnfinished  for a database that has only a part of a backup
 * @throws SchemaTooNew  for one that a later version of the platform has upgraded
 */
export async function ensureIndexes(): Promise<void> {
  await refuseUnfinishedRestoration();
  // Before the first records: a database without a version and with records comes from an earlier platform.
  await noteSchemaVersion();
  await createIndexes();
}
