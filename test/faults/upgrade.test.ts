import { disconnectMongo, migrations } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectStores } from '../support/apiServer.ts';
import { spawnApp, standInWorker, startApp, type AppName } from '../support/processes/appProcess.ts';
import { createResultTable, inSeconds } from '../support/resultTable.ts';
import { runBindery, type OtherDatabase } from '../support/stores/backupCommands.ts';
import { databaseOfPreviousRelease, schemaOf } from '../support/stores/previousRelease.ts';
import { until } from '../support/until.ts';

const copies = 450;
const latest = migrations.length;
const names = migrations.map(({ name }) => name);
const table = createResultTable();

let old: OtherDatabase;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(() => connectStores(loadConfig({ ...process.env })));
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});
afterAll(async () => {
  table.print();
  await old.database.dropDatabase();
  await disconnectMongo();
});

const bindery = (args: string[], environment: Record<string, string> = {}) =>
  runBindery(args, { ...old.environment, ...environment });

/** The lines of all jobs: those in their records, and those in blocks beside them. */
async function countLines(): Promise<{ inside: number; beside: number }> {
  const size = (field: string) => [{ $group: { _id: null, lines: { $sum: { $size: field } } } }];
  const [[inside], [beside]] = await Promise.all([
    old.database
      .collection('jobs')
      .aggregate<{ lines: number }>([{ $match: { log: { $exists: true } } }, ...size('$log')])
      .toArray(),
    old.database.collection('jobLogs').aggregate<{ lines: number }>(size('$lines')).toArray(),
  ]);
  return { inside: inside?.lines ?? 0, beside: beside?.lines ?? 0 };
}

async function expectUpgraded(lines: number): Promise<void> {
  expect(await countLines()).toEqual({ inside: 0, beside: lines });
  const schema = await schemaOf(old);
  expect([schema?.version, schema?.runs.map(({ name }) => name), schema?.runner]).toEqual([
    latest,
    names,
    undefined,
  ]);
  const organizations = old.database.collection('organizations');
  expect(await organizations.countDocuments({ provenEmailDomains: { $exists: false } })).toBe(0);
}

describe('bindery upgrade, on a database of the previous release', () => {
  beforeEach(async () => {
    old = await databaseOfPreviousRelease('previous', copies);
  });

  it(
    'shows its steps in a dry run, makes them, and leaves all content readable',
    { timeout: 120_000 },
    async () => {
      const { inside } = await countLines();
      const status = await bindery(['upgrade', '--status']);
      expect(status).toMatchObject({
        code: 1,
        output: expect.stringContaining(`has version 0 of the schema; this Bindery has ${latest}.`),
      });
      const dry = await bindery(['upgrade', '--dry-run']);
      expect(dry.output).toMatch(new RegExp(`^moveJobLogs .*; ${copies + 3} records to change$`, 'm'));
      expect([await countLines(), await schemaOf(old)]).toEqual([{ inside, beside: 0 }, null]);

      const upgraded = await bindery(['upgrade']);
      expect([upgraded.code, upgraded.output]).toEqual([0, expect.stringContaining('is up to date')]);
      await expectUpgraded(inside);
      expect(await bindery(['upgrade', '--status'])).toMatchObject({ code: 0 });
      // The former name, and again: nothing is left to change.
      const again = await bindery(['migrate', '--again']);
      for (const name of names) expect(again.output).toMatch(new RegExp(`^${name}: 0 records$`, 'm'));
      const checked = await bindery(['doctor', '--storage']);
      expect(checked).toEqual({ code: 0, output: expect.stringMatching(/^ok +documents +32 stored/m) });
    },
  );

  it(
    'resumes after kills where it stopped, also with two processes at once',
    { timeout: 180_000 },
    async () => {
      const { inside } = await countLines();
      // In the first migration, and between a step of the third one and the note of it.
      for (const hit of [1, 4])
        expect((await bindery(['upgrade'], { BINDERY_FAULT: `upgrade.step_done:${hit}:kill` })).code).toBe(
          'SIGKILL',
        );
      const interrupted = await schemaOf(old);
      expect(interrupted).toMatchObject({ version: 2, step: { name: 'moveJobLogs', changed: 100 } });
      expect((await countLines()).inside).toBeGreaterThan(0);
      const startedMs = performance.now();
      const both = await Promise.all([bindery(['upgrade']), bindery(['upgrade'])]);
      expect(both.map(({ code }) => code)).toEqual([0, 0]);
      await expectUpgraded(inside);
      table.add({
        fault: 'upgrade killed in its first and third migration, then run by two processes at once',
        runs: 1,
        result: 'each record changed once, in order',
        measured: `done ${inSeconds(performance.now() - startedMs)} after the kill`,
        goal: 'the lease of 10 s and the rest',
      });
    },
  );
});

describe('a process of this version', () => {
  // One for all: an upgrade spends most of its time on indexes. Without the version it counts as one of the
  // previous release.
  beforeAll(async () => {
    old = await databaseOfPreviousRelease('previous', 0);
  });
  beforeEach(() => old.database.collection('schemaVersions').deleteMany({}));

  it.each<AppName>(['api', standInWorker])(
    '%s waits for the migrations that it needs, and starts after them',
    { timeout: 120_000 },
    async (name) => {
      const { child, lines } = spawnApp(name, { ...process.env, ...old.environment, PORT: '0' });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      stops.push(async () => {
        child.kill('SIGKILL');
        await ended;
      });
      const isReady = new Promise<boolean>((resolve) => child.once('message', () => resolve(true)));
      await until('a line about the upgrade', () => lines.some((line) => line.includes('bindery upgrade')), {
        timeoutMs: 30_000,
      });
      expect((await bindery(['upgrade'])).code).toBe(0);
      expect(await isReady).toBe(true);
    },
  );

  it('refuses a database that a later version has upgraded', { timeout: 120_000 }, async () => {
    await bindery(['upgrade']);
    await old.database
      .collection<{ _id: string }>('schemaVersions')
      .updateOne({ _id: 'schema' }, { $set: { version: latest + 1, platform: '9.8.7' } });
    const message = `version ${latest + 1} of the schema, from Bindery 9.8.7; this is Bindery`;
    for (const name of ['api', standInWorker] as const)
      await expect(startApp(name, { ...process.env, ...old.environment, PORT: '0' })).rejects.toThrow(
        message,
      );
    for (const args of [['upgrade'], ['jobs', 'list']])
      expect(await bindery(args)).toMatchObject({ code: 1, output: expect.stringContaining(message) });
    expect((await bindery(['upgrade', '--status'])).output).toContain('this Bindery has');
  });
});
