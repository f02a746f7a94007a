import { setTimeout as delay } from 'node:timers/promises';
import { platformVersion } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { refuseUnfinishedRestoration } from '../database/restoration.ts';
import { UnusableDatabase } from '../database/unusableDatabase.ts';
import { Organization } from '../organization/organization.ts';
import { migrations } from './migrations.ts';

/** A migration that has run: how many records it changed, and the platform that ran it. */
type MigrationRun = { name: string; changed: number; platform: string; startedAt: Date; endedAt: Date };

/** The only record of its collection: which migrations have run, and how far the present one is. */
export type SchemaVersionRecord = {
  _id: 'schema';
  /** The number of migrations that have run. */
  version: number;
  /** The version of the platform that has set it. */
  platform: string;
  runs: MigrationRun[];
  /** Of the present migration: the cursor after its last step. */
  step?: { name: string; cursor: string; changed: number; startedAt: Date };
  /** The process that runs it, until then by MongoDB's clock. */
  runner?: string;
  leaseUntil?: Date;
};

const record = new Schema<SchemaVersionRecord>(
  {
    _id: String as never,
    version: { type: Number, required: true },
    platform: { type: String, required: true },
    runs: { type: [Schema.Types.Mixed], default: [] } as never,
    step: Schema.Types.Mixed as never,
    runner: String,
    leaseUntil: Date,
  },
  { collection: 'schemaVersions', versionKey: false },
);
export const SchemaVersion = mongoose.model('SchemaVersion', record);

/** Thrown when the database was upgraded by a later version of the platform than this one. */
class SchemaTooNew extends UnusableDatabase {
  constructor({ version, platform }: Pick<SchemaVersionRecord, 'version' | 'platform'>, known: number) {
    super(
      `The database has version ${version} of the schema, from Bindery ${platform}; this is Bindery ${platformVersion}, which knows version ${known}. Start the version that upgraded the database, or a later one, or restore a backup from before the upgrade.`,
    );
  }
}

/**
 * Reads how far the database is. A database without organizations is new, and has nothing to migrate.
 *
 * @throws SchemaTooNew
 */
export async function readSchemaVersion(known = migrations.length): Promise<SchemaVersionRecord> {
  const stored =
    (await SchemaVersion.findById('schema').lean<SchemaVersionRecord>()) ??
    ({
      _id: 'schema',
      version: (await Organization.exists({})) ? 0 : known,
      platform: platformVersion,
      runs: [],
    } satisfies SchemaVersionRecord);
  if (stored.version > known) throw new SchemaTooNew(stored, known);
  return stored;
}

/** Notes the version of a database that has none; does nothing in others. @throws SchemaTooNew */
export async function noteSchemaVersion(known = migrations.length): Promise<SchemaVersionRecord> {
  const found = await readSchemaVersion(known);
  const { _id, ...fields } = found;
  await SchemaVersion.updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });
  return found;
}

/** @throws UnusableDatabase  for one that has only a part of a backup, or a later schema */
export async function requireUsableDatabase(): Promise<void> {
  await refuseUnfinishedRestoration();
  await readSchemaVersion();
}

const pollMs = 1_000;

/**
 * Waits while the database lacks a migration without which this version does not work. Beside others a
 * process starts at once.
 *
 * @param onWait  called once with what is missing, when it has to wait
 * @throws UnusableDatabase
 */
export async function awaitSchema(onWait: (message: string) => void): Promise<void> {
  await refuseUnfinishedRestoration();
  for (let hasTold = false; ;) {
    const { version } = await readSchemaVersion();
    const missing = migrations.slice(version).filter(({ isBreaking }) => isBreaking);
    if (missing.length === 0) return;
    if (!hasTold)
      onWait(
        `waits for the upgrade of the database: it has version ${version} of the schema, and ${missing.map(({ name }) => name).join(', ')} must run before. \`bindery upgrade\` does that, as does the maintenance worker.`,
      );
    hasTold = true;
    await delay(pollMs);
  }
}
