import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSpace } from '@bindery/content';
import { acceptJob, closeJobs, connectJobs, gitJobs } from '@bindery/jobs';
import {
  createApiToken,
  createFirstUser,
  databaseNow,
  disconnectMongo,
  GitCredential,
  mongoDatabase,
  WorkerEntry,
  type ClientSession,
  type JobRecord,
  type SpaceRecord,
} from '@bindery/models';
import { connectRedis, loadConfig, newId, sealSecret, type Config, type Redis } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { startApp, type AppName, type AppProcess } from './appProcess.ts';
import { connectStores, emptyDatabase, endLeftTransactions } from '../apiServer.ts';
import { startGitServer, type GitServer } from '../git/gitServer.ts';
import { importHere } from '../git/importHere.ts';
import { exportRequest, importRequest } from '../importRequest.ts';
import { findLoggedJob, type LoggedJob } from './loggedJob.ts';
import { slowness } from '../machine.ts';
import { until } from '../until.ts';

/** The password of the git server, which may appear nowhere except in the server's own log. */
export const canary = 'c4n4ry-p4ssw0rd-of-the-git-server';
/** Whether to use the leases and sweeps of production: slower, but required for the goals' numbers. */
export const hasProductionLeases = process.env.BINDERY_FAULTS_LEASES === 'production';
/**
 * Longer on a busy machine, where a worker may wait long for a core; but three crashes must take only
 * seconds.
 */
const shortLeases = () => {
  const longer = Math.min(5, slowness());
  return {
    BINDERY_JOB_LEASE_MS: String(Math.round(1_000 * longer)),
    BINDERY_SWEEP_INTERVAL_MS: '500',
    BINDERY_SHUTDOWN_GRACE_MS: String(Math.round(3_000 * longer)),
  };
};
/** For tests that wait for no sweep: the usual sweeps are most of a maintenance worker's load. */
export const rareSweeps = { BINDERY_SWEEP_INTERVAL_MS: '5000' };
const login = { username: 'somebody', password: canary };

/**
 * The platform's real processes on the stores of this test worker, with short leases (see
 * `hasProductionLeases`).
 */
export type FaultLab = {
  gitServer: GitServer;
  config: Config;
  redis: Redis;
  /** All apps started, also ended ones. */
  apps: AppProcess[];
  /** The folder for the workers' temporary folders. */
  workFolder: string;
  /**
   * Returns an app: one kept by `reset`, else a new one. `fault` arms a fault point in it (`name:n:action`),
   * `within` is as for `startApp`.
   */
  start(name: AppName, options?: StartOptions): Promise<AppProcess>;
  /** Arms a fault point in a running app; an empty text disarms it. */
  arm(app: AppProcess, fault: string): Promise<void>;
  /** Whether an app has reached its armed fault point. */
  hasReachedFault(app: AppProcess): boolean;
  /** Waits until a worker has told that it holds no run, also none of a job that has ended. */
  untilIdle(app: AppProcess): Promise<void>;
  newSpace(): Promise<SpaceRecord>;
  /** Accepts an import like the API, with a login. */
  import(space: SpaceRecord, url: string, options?: SyncOptions): Promise<JobRecord>;
  /** The same for an export. */
  export(
    space: SpaceRecord,
    url: string,
    options?: SyncOptions & { commitMessage?: string },
  ): Promise<JobRecord>;
  /** Imports in this process and waits for the end; for the set-up of tests. */
  importHere(space: SpaceRecord, url: string): Promise<void>;
  /** Calls a started API. */
  call(
    api: AppProcess,
    method: string,
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  find(id: string): Promise<LoggedJob>;
  waitFor(
    id: string,
    state: JobRecord['state'] | ((job: LoggedJob) => unknown),
    timeoutMs?: number,
  ): Promise<LoggedJob>;
  /**
   * Ends the apps and deletes the test's data.
   *
   * @param keep  apps that the next test also starts: as many of each name keep running if they are
   *   untouched, which saves most of the time
   */
  reset(options?: { keep?: readonly AppName[] }): Promise<void>;
  close(): Promise<void>;
};

export type StartOptions = {
  fault?: string;
  environment?: Record<string, string>;
  within?: readonly string[];
};

export type SyncOptions = { ref?: string; timestamp?: string; force?: boolean };

async function emptyCollections(names: readonly string[]): Promise<void> {
  for (const name of names) await mongoDatabase().collection(name).deleteMany({});
}

/** @param environment  overrides of configuration variables, for the apps and for this process */
export async function startFaultLab(environment: Record<string, string> = {}): Promise<FaultLab> {
  const gitServer = await startGitServer({ login });
  const folder = await createTemporaryFolder('bindery-faults-');
  const workFolder = join(folder, 'work');
  await mkdir(workFolder);
  // The folder is created for its owner alone; the users of child processes need access through it.
  await chmod(folder, 0o711);
  const variables: NodeJS.ProcessEnv = {
    ...process.env,
    TMPDIR: workFolder,
    LOG_LEVEL: 'info',
    ...(!hasProductionLeases && shortLeases()),
    ...environment,
    BINDERY_OUTBOUND_ALLOW: [gitServer.hostPort, environment['BINDERY_OUTBOUND_ALLOW']]
      .filter(Boolean)
      .join(','),
  };
  const config = loadConfig(variables);
  await connectStores(config);
  // A maintenance worker starts jobs and sends events for what earlier files left.
  await emptyDatabase();
  const blobs = createBlobStore(mongoDatabase(), config.storage);
  await blobs.prepare();
  connectJobs(config);
  const redis = connectRedis(config, 'worker');
  const apps: AppProcess[] = [];
  /** All starts; of apps that start together, one that fails ends the test before the others are ready. */
  const starting = new Set<Promise<AppProcess>>();
  const kept: AppProcess[] = [];
  /** The file of each app that arms its fault points. */
  const faultFiles = new Map<AppProcess, string>();
  let armings = 0;
  /** Apps without a test's own variables or commands. */
  const usual = new Set<AppProcess>();
  const { user, organization } = await createFirstUser({
    email: `${newId()}@example.org`,
    displayName: 'Ada',
    organizationTitle: 'Lab',
  });
  const { token } = await createApiToken({ userId: user._id, label: 'Faults' });

  const byUser = (space: SpaceRecord) => ({
    startedBy: user._id,
    also: async (session: ClientSession, jobId: string) => {
      const sealed = sealSecret(config.secrets, JSON.stringify(login), `git-credential:${jobId}`);
      await GitCredential.create(
        [{ _id: jobId, space: space._id, sealed, expireAt: new Date(Date.now() + 3_600_000) }],
        { session },
      );
    },
  });

  const lab: FaultLab = {
    gitServer,
    config,
    redis,
    apps,
    workFolder,
    start: async (name, { fault = '', environment: more = {}, within } = {}) => {
      const isUsual = Object.keys(more).length === 0 && !within;
      const spare = kept.find((app) => app.name === name);
      if (spare) kept.splice(kept.indexOf(spare), 1);
      // A spare app of the same kind would take the jobs meant for the unusual one.
      if (spare && !isUsual) await end(spare);
      if (spare && isUsual) {
        await lab.arm(spare, fault);
        apps.push(spare);
        return spare;
      }
      const port = name === 'api' ? { PORT: String(await freePort()) } : {};
      const faultFile = join(folder, `fault-${newId()}`);
      await writeFile(faultFile, fault);
      const begun = startApp(
        name,
        { ...variables, ...port, BINDERY_FAULT: `@${faultFile}`, ...more },
        within,
      );
      starting.add(begun);
      const app = await begun;
      faultFiles.set(app, faultFile);
      if (isUsual) usual.add(app);
      apps.push(app);
      return app;
    },
    // The number separates this arming from an earlier one of the same fault, whose hits do not count.
    arm: async (app, fault) => {
      const file = faultFiles.get(app) ?? '';
      await rm(`${file}.reached`, { force: true });
      await writeFile(file, fault && `${fault}:${(armings += 1)}`);
    },
    hasReachedFault: (app) => existsSync(`${faultFiles.get(app)}.reached`),
    untilIdle: async ({ name, pid }) => {
      const since = databaseNow();
      await until(`${name} without a run`, () =>
        WorkerEntry.exists({ pid, running: 0, seenAt: { $gt: since } }),
      );
    },
    newSpace: () => createSpace({ organization: organization._id, createdBy: user._id, title: 'Space' }),
    import: (space, url, options) =>
      acceptJob(gitJobs.importRepository, {
        ...importRequest(space, { url, hasLogin: true, ...options }),
        ...byUser(space),
      }),
    export: (space, url, options) =>
      acceptJob(gitJobs.exportRepository, {
        ...exportRequest(space, { url, hasLogin: true, ...options }),
        ...byUser(space),
      }),
    importHere: (space, url) =>
      importHere({ ...importRequest(space, { url, hasLogin: true }), ...byUser(space) }, { config, blobs }),
    call: (api, method, path, json, headers) =>
      fetch(`http://127.0.0.1:${api.port}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...headers,
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    find: findLoggedJob,
    waitFor: async (id, state, timeoutMs = 30_000) => {
      const isThere = typeof state === 'function' ? state : (job: LoggedJob) => job.state === state;
      const what = `job ${id} ${typeof state === 'function' ? 'as it was looked for' : `in the state ${state}`}`;
      const look = async () => {
        const job = await lab.find(id);
        return isThere(job) ? job : undefined;
      };
      return until(what, look, { timeoutMs }).catch(async (error: unknown) => {
        const told = apps.map(
          (app) =>
            `${app.name} ${app.pid}${app.hasEnded() ? ', ended' : ''}: ${app.lines.slice(-5).join('\n')}`,
        );
        throw new Error(`${String(error)} It is ${JSON.stringify(await lab.find(id))}\n${told.join('\n')}`, {
          cause: error,
        });
      });
    },
    reset: async ({ keep = [] } = {}) => {
      const all = [...kept.splice(0), ...apps.splice(0)];
      for (const name of keep) {
        const spare = all.find(
          (app) => app.name === name && usual.has(app) && app.isUntouched() && !kept.includes(app),
        );
        if (spare) kept.push(spare);
      }
      await Promise.all(all.filter((app) => !kept.includes(app) && !app.hasEnded()).map((app) => end(app)));
      await endLeftTransactions();
      for (const app of kept) {
        await lab.arm(app, '');
        app.lines.length = 0;
      }
      gitServer.faults.clear();
      gitServer.requests.length = 0;
      await WorkerEntry.deleteMany({ pid: { $nin: kept.map(({ pid }) => pid) } });
      await emptyCollections([
        'jobs',
        'jobLogs',
        'leases',
        'spaces',
        'revisions',
        'gitCredentials',
        'gitRepositories',
        'gitSyncPoints',
      ]);
      // The process records of kept apps stay, and the folders in which they work.
      const isOfKept = (name: string) =>
        name.startsWith('bindery-processes-') || kept.some(({ pid }) => name.split('-')[2] === String(pid));
      for (const name of await readdir(workFolder))
        if (!isOfKept(name)) await removeFolder(join(workFolder, name));
      await redis.flushdb();
    },
    close: async () => {
      for (const start of await Promise.allSettled(starting))
        if (start.status === 'fulfilled' && !start.value.hasEnded()) await end(start.value);
      await lab.reset();
      redis.disconnect();
      await closeJobs();
      await disconnectMongo();
      await gitServer.close();
      await removeFolder(folder);
    },
  };
  await lab.reset();
  return lab;
}

async function end(app: AppProcess): Promise<void> {
  app.signal('SIGCONT');
  app.signal('SIGKILL');
  await app.ended;
}
