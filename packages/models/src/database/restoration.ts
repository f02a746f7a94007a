import mongoose, { Schema } from 'mongoose';
import { UnusableDatabase } from './unusableDatabase.ts';

/**
 * Marks a database into which a backup is being restored: it is incomplete, and nothing starts on it. There
 * is at most one record, from before the first written record to after the last.
 */
type RestorationRecord = { _id: 'restoration'; startedAt: Date };

export const Restoration = mongoose.model(
  'Restoration',
  new Schema<RestorationRecord>(
    { _id: String as never, startedAt: { type: Date, required: true } },
    { collection: 'restorations', versionKey: false },
  ),
);

/** Thrown when something is about to use a database that a restore has not completed. */
class RestorationUnfinished extends UnusableDatabase {
  constructor() {
    super('A restore into this database has not ended, or was interrupted: run `bindery restore` again.');
  }
}

/** @throws RestorationUnfinished */
export async function refuseUnfinishedRestoration(): Promise<void> {
  if (await Restoration.exists({ _id: 'restoration' })) throw new RestorationUnfinished();
}

/** Ends a restore: the database is complete. */
export async function endRestoration(): Promise<void> {
  await Restoration.deleteOne({ _id: 'restoration' });
}
