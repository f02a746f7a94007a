import { UnusableDatabase, upgradeDatabase as upgrade, type UpgradeStep } from '@bindery/models';
import { Refusal } from '../refusal.ts';

/**
 * Creates collections and indexes, and runs the migrations that the database lacks.
 *
 * @throws Refusal for a database that has only a part of a backup, or a later schema
 */
export async function upgradeDatabase(onStep?: (step: UpgradeStep) => void): Promise<void> {
  await upgrade(onStep).catch(refuseUnusable);
}

/** Turns the refusal of a database into one for the terminal. */
export function refuseUnusable(error: unknown): never {
  throw error instanceof UnusableDatabase ? new Refusal(error.message, [], { cause: error }) : error;
}
