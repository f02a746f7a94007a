import { apiFigures, appFigures, jobLayerSeconds, kindFigures, storageFigures } from './figures.ts';
import { simulateQueue, type QueueWaits } from './simulateQueue.ts';

/** The load that an installation shall carry. */
export type Profile = {
  organizations: number;
  /** Of each organization. */
  pages: number;
  /** At the busiest time, of all kinds together. */
  jobsPerSecond: number;
  /** At the busiest time, of the API. */
  readsPerSecond: number;
  /** Edits of pages in a day, by jobs and by requests. */
  editsPerDay: number;
  /** How long 99 of 100 jobs may wait for their start. */
  waitSeconds: number;
  retentionDays: number;
  /** The part of each kind in percent; the sum is 100. */
  shares: Readonly<Record<string, number>>;
};

/** The processes of one app: without workers, all fields of jobs are zero. */
export type AppPlan = {
  app: string;
  processes: number;
  memoryMb: number;
  jobsPerSecond: number;
  /** The part of the slots that is in use at the busiest time. */
  use: number;
  waits: QueueWaits;
};

export type CapacityPlan = {
  apps: AppPlan[];
  memoryMb: number;
  /** Processors that the job layer and its stores use, besides the work of the jobs. */
  jobLayerProcessors: number;
  /** Processors that the work of the jobs uses. */
  workProcessors: number;
  /** Gigabytes in MongoDB, before compression: content now, what a year of edits adds, and jobs. */
  storageGb: { content: number; editsOfYear: number; jobs: number };
};

/** Two of each, so that one may fail or be exchanged. */
const leastProcesses = 2;
const jobsSimulated = 40_000;

/**
 * Works out how many processes of each app an installation needs, and what its stores hold: the smallest
 * numbers with which 99 of 100 simulated jobs start in time.
 */
export function planCapacity(profile: Profile): CapacityPlan {
  const workers = Object.keys(appFigures).filter((app) => app !== 'api');
  const apps = [planApi(profile), ...workers.map((app) => planWorker(app, profile))];
  const perSecond = (kind: string) => (profile.jobsPerSecond * (profile.shares[kind] ?? 0)) / 100;
  const jobsPerDay = profile.jobsPerSecond * averageToPeak * 86_400;
  const gigabytes = (bytes: number) => bytes / 1e9;
  return {
    apps,
    memoryMb: apps.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
    jobLayerProcessors: profile.jobsPerSecond * jobLayerSeconds,
    workProcessors: kindFigures.reduce((sum, { kind, seconds }) => sum + perSecond(kind) * seconds, 0),
    storageGb: {
      content: gigabytes(profile.organizations * profile.pages * storageFigures.page),
      editsOfYear: gigabytes(profile.editsPerDay * 365 * storageFigures.edit),
      jobs: gigabytes(jobsPerDay * profile.retentionDays * storageFigures.job),
    },
  };
}

/** Over a day, a fifth of the jobs of the busiest time. */
const averageToPeak = 0.2;

function planApi({ readsPerSecond, jobsPerSecond }: Profile): AppPlan {
  // Each job begins with a request that changes something, and is asked for twice.
  const load =
    (readsPerSecond + 2 * jobsPerSecond) / apiFigures.readsPerSecond +
    jobsPerSecond / apiFigures.changesPerSecond;
  const processes = Math.max(leastProcesses, Math.ceil(load / 0.6));
  return {
    app: 'api',
    processes,
    memoryMb: processes * (appFigures.api?.memoryMb ?? 0),
    jobsPerSecond: 0,
    use: load / processes,
    waits: { mean: 0, p50: 0, p99: 0 },
  };
}

function planWorker(app: string, profile: Profile): AppPlan {
  const { slots = 1, memoryMb = 0 } = appFigures[app] ?? {};
  const kinds = kindFigures
    .filter((figures) => figures.app === app)
    .map(({ kind, seconds }) => ({ share: profile.shares[kind] ?? 0, seconds }));
  const part = kinds.reduce((sum, { share }) => sum + share, 0) / 100;
  const jobsPerSecond = profile.jobsPerSecond * part;
  // On average, as many slots are in use as seconds of work arrive in a second.
  const busy = kinds.reduce(
    (sum, { share, seconds }) => sum + (profile.jobsPerSecond * share * seconds) / 100,
    0,
  );
  const waitsWith = (processes: number): QueueWaits =>
    jobsPerSecond === 0
      ? { mean: 0, p50: 0, p99: 0 }
      : simulateQueue(
          {
            slots: processes * slots,
            slotsForOthers: 1,
            jobsPerSecond,
            kinds: kinds.map(({ share, seconds }) => ({ share: share / 100 / part, seconds })),
            organizations: profile.organizations,
            variation: 1,
          },
          { jobs: jobsSimulated, seed: 1 },
        );
  let processes = Math.max(leastProcesses, Math.ceil(busy / slots / mostUse));
  let waits = waitsWith(processes);
  while (waits.p99 > profile.waitSeconds) {
    processes = Math.ceil(processes * 1.05);
    waits = waitsWith(processes);
  }
  return {
    app,
    processes,
    memoryMb: processes * memoryMb,
    jobsPerSecond,
    use: busy / (processes * slots),
    waits,
  };
}

/** With more in use, a small peak makes a long queue. */
const mostUse = 0.8;
