import { migrations, readSchemaVersion, upgradeRecords, type UpgradeStep } from '@bindery/models';
import { upgradeDatabase } from '../launcher/upgradeDatabase.ts';
import { dataOption, parseOptions, type Usage } from '../options.ts';
import { withDatabase } from './openDatabase.ts';

export const upgradeUsage = {
  command: 'upgrade',
  options: {
    status: {
      help: 'Show only the version of the schema and the pending migrations; exits with 1 if there are any.',
    },
    'dry-run': { help: 'Show only the pending migrations, and count the records that they would change.' },
    again: {
      help: 'Run all migrations again, for records that processes of an earlier version have written since.',
    },
    ...dataOption,
  },
} satisfies Usage;

/** @returns 0; with --status 1 when migrations are missing */
export async function upgrade(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(upgradeUsage, args);
  const where = { data: values.data, environment, anySchema: true };
  return withDatabase(where, async () => {
    if (values.status || values['dry-run']) return tell({ counts: values['dry-run'] ?? false });
    await upgradeDatabase(tellStep);
    if (values.again)
      for (const [name, changed] of Object.entries(await upgradeRecords()))
        console.log(`${name}: ${changed} records`);
    console.log(`The database is up to date: version ${migrations.length} of the schema.`);
    return 0;
  });
}

async function tell({ counts }: { counts: boolean }): Promise<number> {
  const { version, step } = await readSchemaVersion(Infinity);
  const missing = migrations.slice(version);
  console.log(`The database has version ${version} of the schema; this Bindery has ${migrations.length}.`);
  for (const { name, summary, isBreaking, count } of missing) {
    const how = isBreaking ? 'processes of this version wait for it' : 'processes run beside it';
    const done = step?.name === name ? `; interrupted or running, ${step.changed} records changed` : '';
    console.log(`${name} ${summary}; ${how}${done}${counts ? `; ${await count()} records to change` : ''}`);
  }
  return missing.length > 0 && !counts ? 1 : 0;
}

function tellStep({ name, changed, isLast }: UpgradeStep): void {
  console.log(`${name}: ${changed} records${isLast ? '' : ' ...'}`);
}
