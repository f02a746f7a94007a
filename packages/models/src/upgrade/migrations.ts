import type { Migration } from './migration.ts';
import { claimEmailDomains } from './migrations/claimEmailDomains.ts';
import { claimProxies } from './migrations/claimProxies.ts';
import { moveJobLogs } from './migrations/moveJobLogs.ts';
import { nameMembers } from './migrations/nameMembers.ts';
import { placeSpaces } from './migrations/placeSpaces.ts';

/**
 * All migrations, in the order in which they run. The version of the schema is the number of those that have
 * run, so new ones are added at the end, and none is ever removed or moved.
 */
export const migrations: readonly Migration[] = [
  placeSpaces,
  nameMembers,
  moveJobLogs,
  claimProxies,
  claimEmailDomains,
];
