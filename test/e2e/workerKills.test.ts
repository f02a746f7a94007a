import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { finalJobStates, type JobState } from '@bindery/contract';
import { closeJobs, connectJobs, workerQueues } from '@bindery/jobs';
import { connectMongo, disconnectMongo, jobCollection, Revision, WorkerEntry } from '@bindery/models';
import { connectRedis, loadConfig, type Redis } from '@bindery/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findApertium } from '../../apps/cli/src/services/apertium.ts';
import { endSharedApi } from '../support/apiServer.ts';
import { startGitServer, type GitServer } from '../support/git/gitServer.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import {
  expectNothingLeft,
  expectOrderlyEnd,
  namedStores,
  projectFolder,
  useLaunchers,
  type Launched,
} from '../support/processes/launcher.ts';
import { createResultTable, inMilliseconds, inSeconds, isFull, percentile } from '../support/resultTable.ts';
import { findTestChromium } from '../support/pdf/chromium.ts';
import { findTestFonts } from '../support/pdf/fonts.ts';
import { until } from '../support/until.ts';

const killForMs = isFull ? 60_000 : 6_000;
const killEveryMs = 2_000;
const imports = isFull ? 60 : 12;
const askEveryMs = 150;
/** The longest pause before a restart, twice, and the imports. */
const endMs = 120_000;
// These do not run without Chromium and Apertium, which a launcher would fetch in the background.
const isHere: Readonly<Record<string, boolean>> = {
  'worker-pdf': !(await findTestChromium()).missing,
  'worker-translation': (await findApertium('/')).length > 0,
};
const workers = Object.keys(workerQueues).filter((app) => isHere[app] ?? true);

describe('`bindery up` with workers that are killed again and again', () => {
  const { folder, launch } = useLaunchers();
  let gitServer: GitServer;
  let redis: Redis;
  beforeAll(async () => {
    gitServer = await startGitServer({ latencyMs: 60 });
    const config = loadConfig({ ...process.env, ...namedStores('kills') });
    await endSharedApi();
    await connectMongo(config);
    connectJobs(config);
    redis = connectRedis(config, 'worker');
  });
  afterAll(async () => {
    redis.disconnect();
    await closeJobs();
    await disconnectMongo();
    await gitServer.close();
  });

  const killWorkers = (one: Launched) => {
    const victims = one
      .running()
      .filter(({ command }) => workers.some((app) => command.endsWith(`apps/${app}/src/main.ts`)));
    for (const { pid } of victims) process.kill(pid, 'SIGKILL');
    return victims.length;
  };

  it(
    `answers all requests, runs ${imports} imports once each, and leaves nothing behind`,
    { timeout: killForMs + 2 * endMs },
    async () => {
      if (!isFull) console.log('workers are killed for 6 s here, for a minute with BINDERY_FAULTS=full');
      const workFolder = join(folder(), '../work');
      await mkdir(workFolder);
      // Browsers and other children have users of their own, which must reach it.
      await chmod(join(folder(), '..'), 0o711);
      const command = [
        process.execPath,
        join(projectFolder, 'apps/cli/src/main.ts'),
        'up',
        '--no-demo',
        '--port',
        '0',
        '--data',
        folder(),
      ];
      // The worker for PDFs starts when its fonts are there.
      await findTestFonts();
      const one = launch(command, {
        ...namedStores('kills'),
        TMPDIR: workFolder,
        LOG_LEVEL: 'warn',
        BINDERY_OUTBOUND_ALLOW: gitServer.hostPort,
        BINDERY_JOB_LEASE_MS: '1000',
        BINDERY_SWEEP_INTERVAL_MS: '250',
        BINDERY_SHUTDOWN_GRACE_MS: '3000',
      });
      const { apiUrl, token } = await one.ready();
      const call = (path: string, json?: unknown) =>
        fetch(`${apiUrl}${path}`, {
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
          signal: AbortSignal.timeout(30_000),
        });
      const { items } = (await (await call('/v1/orgs')).json()) as { items: { id: string }[] };
      const organization = `/v1/orgs/${items[0]?.id}`;
      await until(
        'start of all workers',
        async () => (await WorkerEntry.countDocuments()) === workers.length,
      );
      // Each app serves what the table says that it serves.
      expect(Object.fromEntries((await WorkerEntry.find()).map(({ app, queues }) => [app, queues]))).toEqual(
        Object.fromEntries(workers.map((app) => [app, [workerQueues[app]]])),
      );

      const end = new AbortController();
      const every = async (ms: number, act: (turn: number) => unknown) => {
        for (let turn = 0; !end.signal.aborted; turn += 1) {
          await act(turn);
          await delay(ms, undefined, { signal: end.signal }).catch(() => {});
        }
      };
      const timesMs: number[] = [];
      const failures: string[] = [];
      const ask = async (turn: number) => {
        const path = [`${organization}/spaces`, '/readyz', `${organization}/jobs?limit=1`][turn % 3]!;
        const startedMs = performance.now();
        const response = await call(path).catch((error: unknown) => String(error));
        if (typeof response === 'string') return failures.push(`${path}: ${response}`);
        if (!response.ok) failures.push(`${path}: ${response.status}`);
        await response.arrayBuffer();
        timesMs.push(performance.now() - startedMs);
      };
      const { url } = await gitServer.createRepository('small.git', {
        'README.md': '# Small\n',
        'more.md': '# More\n',
      });
      const accepted: string[] = [];
      const startImport = async () => {
        if (accepted.length === imports) return;
        const space = (await (await call(`${organization}/spaces`, { title: 'Space' })).json()) as {
          id: string;
        };
        const response = await call(`/v1/spaces/${space.id}/git/import`, { url, ref: 'refs/heads/main' });
        if (response.ok) accepted.push(response.headers.get('x-job-id') ?? '');
        else failures.push(`import: ${response.status}`);
      };
      let kills = 0;
      const startedMs = performance.now();
      const all = [every(askEveryMs, ask), every(killForMs / imports / 1.2, startImport)];
      const count = (...states: JobState[]) =>
        jobCollection().countDocuments({ _id: { $in: accepted }, state: { $in: states } });
      // At least the first kill hits a run.
      await until('import that runs', () => count('running'), { timeoutMs: endMs });
      all.push(
        every(killEveryMs, () => {
          if (performance.now() - startedMs < killForMs) kills += killWorkers(one);
        }),
      );
      await until(
        'end of all imports',
        async () => accepted.length === imports && (await count(...finalJobStates)) === imports,
        {
          timeoutMs: killForMs + endMs,
          everyMs: 250,
        },
      );
      const doneMs = performance.now() - startedMs;
      await until('end of the kills', () => performance.now() - startedMs > killForMs, {
        timeoutMs: killForMs,
      });
      end.abort();
      await Promise.all(all);

      const jobs = await jobCollection()
        .find({ _id: { $in: accepted } })
        .toArray();
      const crashes = jobs.reduce((sum, job) => sum + job.crashes, 0);
      const table = createResultTable();
      table.add({
        fault: 'each worker killed every 2 s',
        runs: 1,
        result: `${await count('succeeded')} of ${imports} imports done, ${timesMs.length} of ${timesMs.length + failures.length} requests answered`,
        measured: `${kills} kills, ${crashes} runs hit; all done after ${inSeconds(doneMs)}; requests p99 ${inMilliseconds(percentile(timesMs, 99))}`,
        goal: 'all once, no request fails',
      });
      table.print();
      expect(failures).toEqual([]);
      expect(jobs.map(({ state }) => state)).toEqual(accepted.map(() => 'succeeded'));
      expect(kills).toBeGreaterThan(workers.length);
      // The one that the space began with, and the one of its import.
      for (const { subject } of jobs) expect(await Revision.countDocuments({ space: subject.id })).toBe(2);
      await checkInvariants({ redis, apps: [], workFolder }, accepted);

      // Ctrl-C while they are being killed.
      await until('worker to kill', () => killWorkers(one), { timeoutMs: endMs });
      process.kill(-(one.child.pid ?? 0), 'SIGINT');
      await expectOrderlyEnd(one);
      await expectNothingLeft(one);
    },
  );
});
