import { migrations } from './migrations.ts';

/**
 * Runs all migrations again, also those that have run: for records that a process of an earlier version wrote
 * meanwhile. Safe to run at any time and in several processes at once.
 *
 * @returns how many records were changed, by the name of the migration
 */
export async function upgradeRecords(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, step } of migrations) {
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const { changed, next } = await step(cursor);
      counts[name] = (counts[name] ?? 0) + changed;
      cursor = next;
    }
  }
  return counts;
}
