import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mongoClient, type SchemaVersionRecord } from '@bindery/models';
import { BSON } from 'mongodb';
import { emptyOtherDatabase, type OtherDatabase } from './backupCommands.ts';

const file = join(import.meta.dirname, '../../fixtures/previousRelease/database.jsonl');
const { EJSON } = BSON;

type Line = { collection: string; record: Record<string, unknown> & { _id: unknown } };

/**
 * Makes a database as the previous release left it, beside that of this test process.
 *
 * @param copies  of a job with a log, so that its migration takes several steps
 */
export async function databaseOfPreviousRelease(name: string, copies: number): Promise<OtherDatabase> {
  const other = await emptyOtherDatabase(name);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const records = lines.map((line) => EJSON.parse(line) as Line);
  const withLog = records.find(({ collection, record }) => collection === 'jobs' && record['log']);
  for (let copy = 0; copy < copies; copy += 1)
    records.push({ collection: 'jobs', record: { ...withLog!.record, _id: `copy${copy}` } });
  for (const [collection, group] of Map.groupBy(records, (line) => line.collection))
    await other.database.collection(collection).insertMany(group.map(({ record }) => record as never));
  return other;
}

/** The version of the schema of another database; null before the first upgrade. */
export async function schemaOf({ database }: OtherDatabase): Promise<SchemaVersionRecord | null> {
  return mongoClient()
    .db(database.databaseName)
    .collection<SchemaVersionRecord>('schemaVersions')
    .findOne({ _id: 'schema' });
}
