import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { acceptJob, closeJobs, connectJobs } from '@bindery/jobs';
import { disconnectMongo, jobCollection, mongoDatabase, WorkerEntry, type JobRecord } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { effectCollection, standInJobs } from '../fixtures/standInWorker/jobs.ts';
import { connectStores } from '../support/apiServer.ts';
import { spawnApp, standInWorker, startApp, type AppProcess } from '../support/processes/appProcess.ts';
import { missingS3, startTestS3 } from '../support/stores/blobStores.ts';
import { startOwnRedis } from '../support/stores/ownRedis.ts';
import { until } from '../support/until.ts';

// runWorkerApp is the main.ts of every worker: a kind that the platform does not have shows what it does by
// itself.

const environment: NodeJS.ProcessEnv = {
  ...process.env,
  LOG_LEVEL: 'info',
  BINDERY_JOB_LEASE_MS: '1000',
  BINDERY_SWEEP_INTERVAL_MS: '250',
  BINDERY_SHUTDOWN_GRACE_MS: '300',
};
const apps: AppProcess[] = [];

async function start(
  more: NodeJS.ProcessEnv = {},
  name: Parameters<typeof startApp>[0] = standInWorker,
): Promise<AppProcess> {
  const app = await startApp(name, { ...environment, ...more });
  apps.push(app);
  return app;
}

const accept = (input: { workMs: number; failures?: number; endsItsWorker?: 'error' }) =>
  acceptJob(standInJobs.makeEffect, {
    organization: 'organization',
    subject: { type: 'space', id: 'none' },
    startedBy: 'somebody',
    permission: 'space.edit',
    input,
  });

const find = async (id: string) => (await jobCollection().findOne({ _id: id }))!;
const waitFor = async (id: string, isThere: (job: JobRecord) => boolean) =>
  until('job as it was looked for', async () => isThere(await find(id)), { timeoutMs: 30_000 }).then(() =>
    find(id),
  );
const countEffects = async () => mongoDatabase().collection(effectCollection).countDocuments();

beforeAll(async () => {
  const config = loadConfig(environment);
  await connectStores(config);
  connectJobs(config);
});
afterEach(async () => {
  for (const app of apps.splice(0)) {
    if (!app.hasEnded()) app.signal('SIGKILL');
    await app.ended;
  }
  await Promise.all([
    jobCollection().deleteMany({}),
    WorkerEntry.deleteMany({}),
    mongoDatabase().collection(effectCollection).deleteMany({}),
  ]);
});
afterAll(async () => {
  await closeJobs();
  await disconnectMongo();
});

describe('a worker of two files', () => {
  it('runs a job, and retries after a fault', async () => {
    const worker = await start();
    const [once, twice] = [await accept({ workMs: 1 }), await accept({ workMs: 1, failures: 1 })];
    await waitFor(once._id, ({ state }) => state === 'succeeded');
    expect(await waitFor(twice._id, ({ state }) => state === 'succeeded')).toMatchObject({
      attempts: [{ outcome: 'retried' }, { outcome: 'succeeded' }],
    });
    expect(await countEffects()).toBe(2);
    expect(worker.lines.join('\n')).toContain('"app":"stand-in-worker"');
  });

  it('hands its job back on SIGTERM, stops its other services, and leaves the register', async () => {
    const leaving = await start();
    const { _id } = await accept({ workMs: 60_000 });
    await waitFor(_id, ({ state }) => state === 'running');
    expect(await WorkerEntry.countDocuments()).toBe(1);
    leaving.signal('SIGTERM');
    expect(await leaving.ended).toBe(0);
    expect(await find(_id)).toMatchObject({
      state: 'queued',
      crashes: 0,
      tries: 0,
      attempts: [{ outcome: 'handed_back' }],
    });
    expect(leaving.lines.join('\n')).toContain('the stand-in stopped what else it runs');
    expect(await WorkerEntry.countDocuments()).toBe(0);
  });

  it('stops once after two signals', async () => {
    const worker = await start();
    worker.signal('SIGTERM');
    worker.signal('SIGINT');
    expect(await worker.ended).toBe(0);
    expect(worker.lines.filter((line) => line.includes('"stopping"'))).toHaveLength(1);
    expect(worker.lines.filter((line) => line.includes('the stand-in stopped'))).toHaveLength(1);
  });

  it('loses its job to another one when it is killed', { timeout: 40_000 }, async () => {
    // So long that only a killed worker loses it, also on a busy machine.
    const lease = { BINDERY_JOB_LEASE_MS: '4000' };
    await start(lease, 'worker-maintenance');
    const killed = await start(lease);
    const { _id } = await accept({ workMs: 1_500 });
    await waitFor(_id, ({ state }) => state === 'running');
    killed.signal('SIGKILL');
    await start(lease);
    expect(await waitFor(_id, ({ state }) => state === 'succeeded')).toMatchObject({ crashes: 1, epoch: 2 });
    expect(await countEffects()).toBe(1);
  });
});

describe('a worker that ends by an unhandled error', () => {
  it(
    'counts the crash for the job that caused it, and hands the others back',
    { timeout: 60_000 },
    async () => {
      const failing = await start();
      const beside = await Promise.all([1, 2].map(() => accept({ workMs: 60_000 })));
      for (const { _id } of beside) await waitFor(_id, ({ state }) => state === 'running');
      const culprit = await accept({ workMs: 400, endsItsWorker: 'error' });
      expect(await failing.ended).toBe(1);
      expect(failing.lines.join('\n')).toContain('An error of the test that nobody handles.');
      for (const { _id } of beside)
        expect(await find(_id)).toMatchObject({
          state: 'queued',
          crashes: 0,
          attempts: [{ outcome: 'handed_back' }],
        });
      expect(await find(culprit._id)).toMatchObject({
        state: 'queued',
        crashes: 1,
        attempts: [
          {
            outcome: 'crashed',
            error: { code: 'crashed', message: expect.stringContaining('ended its worker') },
          },
        ],
      });
    },
  );
});

describe('the health endpoint of a worker', () => {
  const ask = async (port: number, path: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(20_000),
      ...init,
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  const whole = { status: 'ready', checks: { mongodb: 'ok', redis: 'ok', worker: 'ok' } };

  it('listens on the configured port, and nowhere without one', async () => {
    const port = await freePort();
    const [asked] = await Promise.all([start({ BINDERY_WORKER_HEALTH_PORT: String(port) }), start()]);
    expect(await ask(port, '/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await ask(port, '/readyz?now')).toEqual({ status: 200, body: whole });
    expect((await ask(port, '/')).status).toBe(404);
    expect((await ask(port, '/readyz', { method: 'POST' })).status).toBe(405);
    asked!.signal('SIGTERM');
    expect(await asked!.ended).toBe(0);
    await expect(ask(port, '/healthz')).rejects.toThrow('fetch failed');
  });

  it('reports a stopping worker as not ready but alive', async () => {
    const port = await freePort();
    const worker = await start({
      BINDERY_WORKER_HEALTH_PORT: String(port),
      BINDERY_SHUTDOWN_GRACE_MS: '20000',
    });
    const { _id } = await accept({ workMs: 5_000 });
    await waitFor(_id, ({ state }) => state === 'running');
    worker.signal('SIGTERM');
    await until('an answer of one that stops', async () => (await ask(port, '/readyz')).status === 503, {
      timeoutMs: 4_500,
    });
    expect((await ask(port, '/healthz')).status).toBe(200);
    expect(await worker.ended).toBe(0);
    expect(await find(_id)).toMatchObject({ state: 'succeeded', epoch: 1 });
  });

  it('reports that Redis is away and back, without its address', async () => {
    const redis = await startOwnRedis();
    try {
      const port = await freePort();
      await start({ BINDERY_WORKER_HEALTH_PORT: String(port), REDIS_URL: redis.url });
      await redis.kill();
      const away = {
        status: 'not ready',
        checks: { ...whole.checks, redis: expect.stringMatching(/^(failed|timeout)$/) as string },
      };
      expect(await ask(port, '/readyz')).toEqual({ status: 503, body: away });
      expect((await ask(port, '/healthz')).status).toBe(200);
      await redis.start();
      await until('Redis again', async () => (await ask(port, '/readyz')).status === 200);
    } finally {
      await redis.close();
    }
  });

  it.skipIf(missingS3)('reports S3 as unreachable or hanging, and stays ready: other jobs run', async () => {
    const server = await startTestS3();
    try {
      const port = await freePort();
      await start({ BINDERY_WORKER_HEALTH_PORT: String(port), ...server.environment });
      expect(await ask(port, '/readyz')).toEqual({
        status: 200,
        body: { ...whole, checks: { ...whole.checks, s3: 'ok' } },
      });
      const s3 = 'unreachable: jobs with files fail, and are tried again';
      const away = { status: 200, body: { ...whole, checks: { ...whole.checks, s3 } } };
      await server.freeze();
      expect(await ask(port, '/readyz')).toEqual(away);
      await server.stop();
      expect(await ask(port, '/readyz')).toEqual(away);
      await server.start();
      await until(
        'S3 again',
        async () => ((await ask(port, '/readyz')).body as typeof away.body).checks.s3 === 'ok',
      );
    } finally {
      await server.close();
    }
  });

  it('is silent while the process is frozen, and answers when it goes on', async () => {
    const port = await freePort();
    const worker = await start({ BINDERY_WORKER_HEALTH_PORT: String(port) });
    worker.signal('SIGSTOP');
    await expect(ask(port, '/healthz', { signal: AbortSignal.timeout(500) })).rejects.toThrow('timeout');
    worker.signal('SIGCONT');
    await until('a worker that goes on', async () => (await ask(port, '/readyz')).status === 200);
  });

  it('does not stop the worker when its port is taken: an error is logged, and jobs run', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    try {
      const worker = await start({
        BINDERY_WORKER_HEALTH_PORT: String((taken.address() as { port: number }).port),
      });
      const { _id } = await accept({ workMs: 1 });
      await waitFor(_id, ({ state }) => state === 'succeeded');
      expect(
        worker.lines.filter((line) => line.includes('the health endpoint could not be opened')),
      ).toHaveLength(1);
    } finally {
      await closed(taken);
    }
  });
});

describe('a worker that cannot start', () => {
  /** Returns the lines that it logged, and no other output. */
  async function failure(
    more: NodeJS.ProcessEnv,
  ): Promise<{ end: string; logged: Record<string, unknown>[] }> {
    const error = await start(more).then(
      () => new Error('It did start.'),
      (problem: Error) => problem,
    );
    const [end = '', ...lines] = error.message.split('\n');
    return { end, logged: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
  }

  it('lists all errors of its configuration, in one line', async () => {
    const { end, logged } = await failure({ MONGODB_URI: '', BINDERY_WORKER_CONCURRENCY: 'many' });
    expect(end).toContain('ended (1)');
    expect(logged).toMatchObject([
      {
        level: 60,
        app: 'stand-in-worker',
        msg: expect.stringMatching(
          /^stand-in-worker cannot start: The configuration is not valid:\n {2}MONGODB_URI: is not set\n {2}BINDERY_WORKER_CONCURRENCY: must be a whole number/,
        ),
      },
    ]);
  });

  it('lists the kinds when a limit is for an unknown kind', async () => {
    const { end, logged } = await failure({ BINDERY_KIND_PER_ORGANIZATION: 'git-import=2,git-exports=1' });
    expect(end).toContain('ended (1)');
    expect(logged).toMatchObject([
      {
        msg: expect.stringMatching(
          /BINDERY_KIND_PER_ORGANIZATION: there is no kind `git-exports`; the kinds are change-request-pdf, content-import, folder-import, git-export, git-import, /,
        ),
      },
    ]);
  });

  it('reports that MongoDB is not reachable', { timeout: 40_000 }, async () => {
    const { end, logged } = await failure({
      MONGODB_URI: `mongodb://127.0.0.1:${await freePort()}/nothing?replicaSet=none`,
    });
    expect(end).toContain('ended (1)');
    expect(logged).toEqual([
      {
        level: 60,
        time: expect.any(String),
        pid: expect.any(Number),
        app: 'stand-in-worker',
        msg: expect.stringMatching(
          /^stand-in-worker cannot start: MongoDB cannot be used: .*ECONNREFUSED.* \(MONGODB_URI\)\.$/,
        ),
      },
    ]);
  });

  it('does start without Redis, reports it, and runs jobs when Redis is back', async () => {
    const redis = await startOwnRedis();
    try {
      await redis.kill();
      const worker = await start({ REDIS_URL: redis.url });
      await until('line about Redis', () =>
        worker.lines.some((line) => /Redis cannot be used: .*REDIS_URL/.test(line)),
      );
      await redis.start();
      // The sweeper of this process knows the same Redis, and dispatches to it.
      await start({ REDIS_URL: redis.url }, 'worker-maintenance');
      const { _id } = await accept({ workMs: 1 });
      // As it is where Redis was away when the job was accepted: owed.
      await jobCollection().updateOne({ _id }, { $set: { dispatchedAt: null } });
      await waitFor(_id, ({ state }) => state === 'succeeded');
    } finally {
      await redis.close();
    }
  });

  it('ends cleanly when it is stopped while it starts', async () => {
    // Takes connections and says nothing.
    const silent = createServer((socket) => socket.resume());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    try {
      const arrived = once(silent, 'connection');
      const { child, lines } = spawnApp(standInWorker, {
        ...environment,
        MONGODB_URI: `mongodb://127.0.0.1:${port}/nothing?replicaSet=none`,
      });
      await arrived;
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      expect(code, lines.join('\n')).toBe(0);
      expect(lines.filter((line) => line.includes('cannot start'))).toEqual([]);
    } finally {
      await closed(silent);
    }
  });
});

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
