import type { Logger } from '@bindery/runtime';
import { UnusableDatabase } from '../database/unusableDatabase.ts';
import { awaitSchema } from './schemaVersion.ts';

/**
 * Waits, at the start of a process, until its database has the schema that this version needs. Ends the
 * process when the database cannot be used.
 *
 * @param name  of the process in the log, such as `the API`
 */
export async function awaitSchemaOrExit(name: string, logger: Logger): Promise<void> {
  await awaitSchema((message) => logger.warn(`${name} ${message}`)).catch((error: unknown) => {
    if (!(error instanceof UnusableDatabase)) throw error;
    logger.fatal(`${name} cannot start: ${error.message}`);
    process.exit(1);
  });
}
