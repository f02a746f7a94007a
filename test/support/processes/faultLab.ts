import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSpace } from '@bindery/content';
import { acceptJob, closeJobs, connectJobs, gitJobs } from '@bindery/jobs';
import {
  createApiToken,
  createFirstUser,
  disconnectMongo,
  GitCredential,
  mongoDatabase,
  WorkerEntry,
  type ClientSession,
  type JobRecord,
  type SpaceRecord,
} from '@bindery/models';
import { connectRedis, loadConfig, newId, sealSecret, type Config, type Redis } from '@bindery/runtime';
import { createGridFsBlobStore } from '@bindery/storage';
import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import { createTemporaryFolder, removeFolder } from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { startApp, type AppName, type AppProcess } from './appProcess.ts';
import { connectStores, endLeftTransactions } from '../apiServer.ts';
import { startGitServer, type GitServer } from '../git/gitServer.ts';
import { importHere } from '../git/importHere.ts';
import { importRequest } from '../importRequest.ts';
import { findLoggedJob, type LoggedJob } from './loggedJob.ts';
import { slowness } from '../machine.ts';
import { until } from '../until.ts';

/** The password of the git server: it may be nowhere but in the server's own log. */
export const canary = 'c4n4ry-p4ssw0rd-of-the-git-server';
/** Whether leases and sweeps are those of production: slower, and what the numbers of the goals are about. */
export const hasProductionLeases = process.env.BINDERY_FAULTS_LEASES === 'production';
/** Longer on a busy machine, where a worker may wait long for a core; at most so long that three crashes are a matter of seconds. */
const shortLeases = () => {
  const longer = Math.min(5, slowness());
  return {
    BINDERY_JOB_LEASE_MS: String(Math.round(1_000 * longer)),
    BINDERY_SWEEP_INTERVAL_MS: '500',
    BINDERY_SHUTDOWN_GRACE_MS: String(Math.round(3_000 * longer)),
  };
};
/** For tests that wait for no sweep: the usual ones are most of what a maintenance worker does. */
export const rareSweeps = { BINDERY_SWEEP_INTERVAL_MS: '5000' };
const login = { username: 'somebody', password: canary };

/** The platform's real processes on the stores of this test worker, with leases that are short enough to wait for (see `hasProductionLeases`). */
export type FaultLab = {
  gitServer: GitServer;
  config: Config;
  redis: Redis;
  /** What was started, also what has ended. */
  apps: AppProcess[];
  /** Where the workers make their temporary folders. */
  workFolder: string;
  /** Has an app: one that `reset` kept, else a new one. `fault` arms a fault point in it (`name:n:action`), `within` is as for `startApp`. */
  start(name: AppName, options?: StartOptions): Promise<AppProcess>;
  /** Arms a fault point in an app that runs; the empty text disarms it. */
  arm(app: AppProcess, fault: string): Promise<void>;
  /** Whether an app has reached the fault point that is armed in it. */
  hasReachedFault(app: AppProcess): boolean;
  newSpace(): Promise<SpaceRecord>;
  /** Accepts an import as the API does, with a login. */
  import(space: SpaceRecord, url: string, options?: SyncOptions): Promise<JobRecord>;
  /** The same for an export. */
  export(space: SpaceRecord, url: string, options?: SyncOptions & { commitMessage?: string }): Promise<JobRecord>;
  /** Imports in this process, to the end: for subjects of tests that are about what comes after it. */
  importHere(space: SpaceRecord, url: string): Promise<void>;
  /** Calls an API that was started. */
  call(api: AppProcess, method: string, path: string, json?: unknown): Promise<Response>;
  find(id: string): Promise<LoggedJob>;
  waitFor(id: string, state: JobRecord['state'] | ((job: LoggedJob) => unknown), timeoutMs?: number): Promise<LoggedJob>;
  /**
   * Ends the apps and forgets what the test has made.
   *
   * @param keep  apps that the next test starts as well: as many of a name as are named go on running when nothing was done to them, which saves most of the time
   */
  reset(options?: { keep?: readonly AppName[] }): Promise<void>;
  close(): Promise<void>;
};

export type StartOptions = { fault?: string; environment?: Record<string, string>; within?: readonly string[] };

export type SyncOptions = { ref?: string; timestamp?: string; force?: boolean };

/** @param environment  variables of the configuration that differ, for the apps and for this process */
export async function startFaultLab(environment: Record<string, string> = {}): Promise<FaultLab> {
  const gitServer = await startGitServer({ login });
  const folder = await createTemporaryFolder('bindery-faults-');
  const workFolder = join(folder, 'work');
  await mkdir(workFolder);
  // Made for its owner alone; the users of child processes pass through it.
  await chmod(folder, 0o711);
  const variables: NodeJS.ProcessEnv = {
    ...process.env,
    TMPDIR: workFolder,
    LOG_LEVEL: 'info',
    ...(!hasProductionLeases && shortLeases()),
    ...environment,
    BINDERY_OUTBOUND_ALLOW: [gitServer.hostPort, environment['BINDERY_OUTBOUND_ALLOW']].filter(Boolean).join(','),
  };
  const config = loadConfig(variables);
  await connectStores(config);
  const blobs = createGridFsBlobStore(mongoDatabase());
  await blobs.prepare();
  connectJobs(config);
  const redis = connectRedis(config, 'worker');
  const apps: AppProcess[] = [];
  const kept: AppProcess[] = [];
  /** The file of each app that tells which fault point is armed in it. */
  const faultFiles = new Map<AppProcess, string>();
  let armings = 0;
  /** Apps without variables or commands of one test. */
  const usual = new Set<AppProcess>();
  const { user, organization } = await createFirstUser({ email: `${newId()}@example.org`, displayName: 'Ada', organizationTitle: 'Lab' });
  const { token } = await createApiToken({ userId: user._id, label: 'Faults' });

  const request = (space: SpaceRecord, url: string, options?: SyncOptions) => ({
    ...importRequest(space, { url, hasLogin: true, ...options }),
    startedBy: user._id,
    also: async (session: ClientSession, jobId: string) => {
      const sealed = sealSecret(config.secrets, JSON.stringify(login), `git-credential:${jobId}`);
      await GitCredential.create([{ _id: jobId, space: space._id, sealed, expireAt: new Date(Date.now() + 3_600_000) }], { session });
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
      // One of its kind would take the jobs that are meant for the unusual one.
      if (spare && !isUsual) await end(spare);
      if (spare && isUsual) {
        await lab.arm(spare, fault);
        apps.push(spare);
        return spare;
      }
      const port = name === 'api' ? { PORT: String(await freePort()) } : {};
      const faultFile = join(folder, `fault-${newId()}`);
      await writeFile(faultFile, fault);
      const app = await startApp(name, { ...variables, ...port, BINDERY_FAULT: `@${faultFile}`, ...more }, within);
      faultFiles.set(app, faultFile);
      if (isUsual) usual.add(app);
      apps.push(app);
      return app;
    },
    // The number sets one arming apart from another of the same fault, whose hits do not count.
    arm: async (app, fault) => {
      const file = faultFiles.get(app) ?? '';
      await rm(`${file}.reached`, { force: true });
      await writeFile(file, fault && `${fault}:${(armings += 1)}`);
    },
    hasReachedFault: (app) => existsSync(`${faultFiles.get(app)}.reached`),
    newSpace: () => createSpace({ organization: organization._id, createdBy: user._id, title: 'Space' }),
    import: (space, url, options) => acceptJob(gitJobs.importRepository, request(space, url, options)),
    export: (space, url, { commitMessage = 'Export', ...options } = {}) => {
      const { input, ...more } = request(space, url, options);
      return acceptJob(gitJobs.exportRepository, { ...more, input: { ...input, commitMessage } });
    },
    importHere: (space, url) => importHere(request(space, url), { config, blobs }),
    call: (api, method, path, json) =>
      fetch(`http://127.0.0.1:${api.port}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(json !== undefined && { 'content-type': 'application/json' }) },
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
        const told = apps.map((app) => `${app.name} ${app.pid}${app.hasEnded() ? ', ended' : ''}: ${app.lines.slice(-5).join('\n')}`);
        throw new Error(`${String(error)} It is ${JSON.stringify(await lab.find(id))}\n${told.join('\n')}`, { cause: error });
      });
    },
    reset: async ({ keep = [] } = {}) => {
      const all = [...kept.splice(0), ...apps.splice(0)];
      for (const name of keep) {
        const spare = all.find((app) => app.name === name && usual.has(app) && app.isUntouched() && !kept.includes(app));
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
      for (const name of ['jobs', 'jobLogs', 'leases', 'spaces', 'revisions', 'gitCredentials', 'gitRepositories', 'gitSyncPoints']) {
        await mongoDatabase().collection(name).deleteMany({});
      }
      // What the kept ones note of their own children stays.
      for (const name of await readdir(workFolder)) if (!name.startsWith('bindery-processes-')) await removeFolder(join(workFolder, name));
      await redis.flushdb();
    },
    close: async () => {
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
