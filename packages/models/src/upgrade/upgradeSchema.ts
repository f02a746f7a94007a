import { setTimeout as delay } from 'node:timers/promises';
import { faultPoint, newId, platformVersion } from '@bindery/runtime';
import type { Migration } from './migration.ts';
import { migrations } from './migrations.ts';
import { noteSchemaVersion, SchemaVersion, type SchemaVersionRecord } from './schemaVersion.ts';

/** Far longer than a step takes; a process that was killed is followed by the next one after this time. */
const defaultLeaseMs = 10_000;
const pollMs = 250;

/** A step that was done: of which migration, and how many records that has changed so far. */
export type UpgradeStep = { name: string; changed: number; isLast: boolean };

/**
 * Runs the migrations that the database lacks, in their order; continues where a killed process was. Of
 * several processes one runs them, and the others wait for it.
 *
 * @throws SchemaTooNew
 */
export async function upgradeSchema({
  onStep = () => {},
  leaseMs = defaultLeaseMs,
  list = migrations,
}: {
  onStep?: (step: UpgradeStep) => void;
  leaseMs?: number;
  list?: readonly Migration[];
} = {}): Promise<void> {
  const runner = newId();
  for (;;) {
    const { version } = await noteSchemaVersion(list.length);
    const migration = list[version];
    if (!migration) return;
    const taken = await take({ version, runner, leaseMs });
    if (taken) await run(migration, taken, { runner, leaseMs, onStep });
    // Another process runs it.
    else await delay(pollMs);
  }
}

type Running = { runner: string; leaseMs: number };

const after = (ms: number) => ({
  $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: Math.ceil(ms) },
});

async function take({
  version,
  runner,
  leaseMs,
}: Running & { version: number }): Promise<SchemaVersionRecord | null> {
  return SchemaVersion.findOneAndUpdate(
    { _id: 'schema', version, $expr: { $lt: [{ $ifNull: ['$leaseUntil', new Date(0)] }, '$$NOW'] } },
    [{ $set: { runner: { $literal: runner }, leaseUntil: after(leaseMs) } }],
    { updatePipeline: true, returnDocument: 'after' },
  ).lean<SchemaVersionRecord>();
}

/** Ends early when another process has taken over. */
async function run(
  { name, step }: Migration,
  { version, step: last }: SchemaVersionRecord,
  { runner, leaseMs, onStep }: Running & { onStep: (step: UpgradeStep) => void },
): Promise<void> {
  const startedAt = last?.startedAt ?? '$$NOW';
  let changed = last?.changed ?? 0;
  let cursor: string | undefined = last?.cursor ?? '';
  const write = async (change: object) => {
    const { matchedCount } = await SchemaVersion.updateOne(
      { _id: 'schema', version, runner },
      [{ $set: change }, ...('version' in change ? [{ $unset: ['step', 'runner', 'leaseUntil'] }] : [])],
      { updatePipeline: true },
    );
    return matchedCount === 1;
  };
  try {
    while (cursor !== undefined) {
      const done = await step(cursor);
      await faultPoint('upgrade.step_done');
      changed += done.changed;
      cursor = done.next;
      const isLast = cursor === undefined;
      const progress = { name: { $literal: name }, changed, startedAt };
      const isOurs = await write(
        isLast
          ? {
              version: version + 1,
              platform: { $literal: platformVersion },
              runs: {
                $concatArrays: [
                  '$runs',
                  [{ ...progress, platform: { $literal: platformVersion }, endedAt: '$$NOW' }],
                ],
              },
            }
          : { step: { ...progress, cursor: { $literal: cursor } }, leaseUntil: after(leaseMs) },
      );
      if (!isOurs) return;
      onStep({ name, changed, isLast });
    }
  } catch (error) {
    // So that the next process need not wait.
    await write({ leaseUntil: new Date(0) }).catch(() => {});
    throw error;
  }
}
