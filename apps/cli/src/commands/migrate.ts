import { upgradeDatabase } from '../launcher/upgradeDatabase.ts';
import { dataOption, parseOptions, type Usage } from '../options.ts';
import { withDatabase } from './openDatabase.ts';

export const migrateUsage = {
  command: 'migrate',
  summary:
    'Creates the collections and indexes that the database lacks and brings old records up to date; may run at any time.',
  options: dataOption,
} satisfies Usage;

export async function migrate(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(migrateUsage, args);
  await withDatabase({ data: values.data, environment }, upgradeDatabase);
  console.log('The database is up to date.');
  return 0;
}
