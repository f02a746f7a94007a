import { setTimeout as delay } from 'node:timers/promises';
import { jobCollection } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canary, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { fixtureRepository } from '../support/fixtureRepository.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable, inSeconds } from '../support/resultTable.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

let lab: FaultLab;
let url: string;
const table = createResultTable();

beforeAll(async () => {
  lab = await startFaultLab();
  ({ url } = await lab.gitServer.createRepository('fixture.git', fixtureRepository()));
});
afterEach(() => lab.reset({ keep: ['worker-maintenance', 'worker-git'] }));
afterAll(async () => {
  table.print();
  await lab.close();
});

describe('F28: SIGTERM', () => {
  it('makes a worker hand back its four running imports at no cost', async () => {
    lab.gitServer.faults.set('fetch', { delayMs: 60_000 });
    const [, leaving] = await Promise.all([
      lab.start('worker-maintenance'),
      lab.start('worker-git', { environment: { BINDERY_SHUTDOWN_GRACE_MS: '500' } }),
    ]);
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) ids.push((await lab.import(await lab.newSpace(), url))._id);
    for (const id of ids) await lab.waitFor(id, ({ progress }) => progress?.stage === 'repo_fetch');
    await until(
      'four transfers',
      () => lab.gitServer.requests.filter(({ kind }) => kind === 'fetch').length >= 4,
    );
    await lab.start('worker-git');
    lab.gitServer.faults.clear();
    const signalledMs = performance.now();
    leaving.signal('SIGTERM');
    expect(await leaving.ended).toBe(0);
    const exitMs = performance.now() - signalledMs;
    for (const id of ids) await lab.waitFor(id, ({ epoch }) => epoch === 2);
    const elsewhereMs = performance.now() - signalledMs - exitMs;
    for (const id of ids)
      expect(await lab.waitFor(id, 'succeeded')).toMatchObject({
        crashes: 0,
        tries: 0,
        attempts: [{ outcome: 'handed_back' }, { outcome: 'succeeded' }],
      });
    table.add({
      fault: 'F28 worker with 4 running',
      runs: 1,
      result: '4 handed back, once',
      measured: `exit ${inSeconds(exitMs)} (grace 0.5 s), elsewhere ${inSeconds(Math.max(0, elsewhereMs))} later`,
      goal: 'exit <= 30 s, elsewhere <= 5 s',
    });
    expect(elsewhereMs).toBeLessThan(bound(5_000));
    await checkInvariants(lab, ids);
  });

  it('lets a worker finish within its grace period', async () => {
    lab.gitServer.faults.set('fetch', { delayMs: 700 });
    const leaving = await lab.start('worker-git', {
      environment: { BINDERY_SHUTDOWN_GRACE_MS: '60000' },
    });
    const job = await lab.import(await lab.newSpace(), url);
    await until('transfer', () => lab.gitServer.requests.some(({ kind }) => kind === 'fetch'));
    leaving.signal('SIGTERM');
    expect(await leaving.ended).toBe(0);
    expect(await lab.find(job._id)).toMatchObject({ state: 'succeeded', epoch: 1 });
    await checkInvariants(lab, [job._id]);
  });

  it('loses no request that the API has accepted', async () => {
    const api = await lab.start('api');
    const spaces = await Promise.all(Array.from({ length: 10 }, () => lab.newSpace()));
    const body = { url: url.replace('//', `//somebody:${canary}@`), ref: 'refs/heads/main' };
    const accepted: string[] = [];
    const other: (number | string)[] = [];
    let isGone = false;
    const caller = async (index: number) => {
      while (!isGone) {
        try {
          const response = await lab.call(api, 'POST', `/spaces/${spaces[index]!._id}/git/import`, body);
          if (response.status === 204) accepted.push(response.headers.get('x-job-id')!);
          else other.push(response.status);
        } catch {
          // The listener is closed: no connection, or one that nobody had taken yet.
          isGone = true;
        }
      }
    };
    const callers = spaces.map((_, index) => caller(index));
    await until('load', () => accepted.length > 60);
    api.signal('SIGTERM');
    const signalledMs = performance.now();
    expect(await api.ended).toBe(0);
    const exitMs = performance.now() - signalledMs;
    await Promise.all(callers);
    const stored = new Set(
      (
        await jobCollection()
          .find({}, { projection: { _id: 1 } })
          .toArray()
      ).map(({ _id }) => _id),
    );
    expect(accepted.filter((id) => !stored.has(id))).toEqual([]);
    // Refusals of the rate limit are answers, too; anything else would be an error of ours.
    expect(other.filter((status) => status !== 429)).toEqual([]);
    // A job that was stored without an answer: one of our callers was cut off in between.
    expect(stored.size - accepted.length).toBe(0);
    table.add({
      fault: 'F28 API under load',
      runs: 1,
      result: `${accepted.length} accepted, 0 lost`,
      measured: `exit ${inSeconds(exitMs)}`,
      goal: '0 lost, exit <= 30 s',
    });
    expect(exitMs).toBeLessThan(bound(30_000));
  });
});

describe('F29: other ways to end', () => {
  const rejection = `data:text/javascript,${encodeURIComponent("process.once('SIGUSR2', () => void Promise.reject(new Error('of the test')));")}`;

  it.each(['worker-git', 'worker-maintenance', 'api'] as const)(
    '%s ends cleanly after two signals in a row, and after Ctrl-C',
    async (name) => {
      for (const signals of [
        ['SIGTERM', 'SIGTERM'],
        ['SIGINT', 'SIGINT'],
      ] as const) {
        const app = await lab.start(name);
        app.signal(signals[0]);
        await delay(1);
        app.signal(signals[1]);
        expect(await app.ended).toBe(0);
        expect(
          app.lines.filter((line) => line.includes('"stopping"')),
          app.lines.join('\n'),
        ).toHaveLength(1);
      }
      table.add({
        fault: `F29 ${name}, two signals`,
        runs: 2,
        result: 'exit code 0, one line',
        measured: '-',
        goal: 'clean exit',
      });
    },
  );

  it.each(['worker-git', 'worker-maintenance', 'api'] as const)(
    '%s exits with 1 and logs the error after an unhandled rejection',
    async (name) => {
      const app = await lab.start(name, { environment: { NODE_OPTIONS: `--import=${rejection}` } });
      app.signal('SIGUSR2');
      expect(await app.ended).toBe(1);
      expect(app.lines.filter((line) => line.includes('of the test')).length, app.lines.join('\n')).toBe(1);
      table.add({
        fault: `F29 ${name}, rejection`,
        runs: 1,
        result: 'exit code 1, one line',
        measured: '-',
        goal: 'clean exit',
      });
    },
  );
});
