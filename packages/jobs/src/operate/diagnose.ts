import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { databaseNow, databaseTime, jobCollection, Lease, mongoDatabase } from '@bindery/models';
import { findRedisProblems, messageOf, scrubSecrets, type Finding } from '@bindery/runtime';
import { jobClient, queueOf, withTimeout } from '../queue/client.ts';
import { queueNames } from '../definitions/defineJob.ts';
import { dispatchId } from '../queue/dispatch.ts';
import { describeLimit, listLimits } from './setLimits.ts';
import { jobOfQueueEntry, listKindStates, listLiveWorkers } from './inspect.ts';

/** The findings of one check; none when all is well. */
export type Diagnosis = { check: string; findings: Finding[] };

/** Repairs of the sweeper follow within seconds; what is older than this is not repaired. */
const patienceMs = 60_000;
/** Two clocks that differ by less harm nothing: leases and deadlines use MongoDB's. */
const maxSkewMs = 2_000;
const minFreeShare = 0.1;
const redisMs = 3_000;
/** The entries and records compared by each check for orphans. */
const compared = 200;

/** Checks the job layer of a running installation. Changes nothing; each check has its limit. */
export async function diagnoseJobs(): Promise<Diagnosis[]> {
  const checks: Record<string, () => Promise<Finding[]>> = {
    Redis: checkRedis,
    Clocks: checkClocks,
    Sweeper: checkSweeper,
    Workers: checkKinds,
    Limits: checkLimits,
    Runs: checkRuns,
    Queues: checkQueues,
    Disk: checkDisk,
  };
  return Promise.all(
    Object.entries(checks).map(async ([check, find]) => ({
      check,
      findings: await find().catch((error: unknown) => [
        { problem: `could not be checked: ${scrubSecrets(messageOf(error))}`, fix: 'see to that first' },
      ]),
    })),
  );
}

async function checkRedis(): Promise<Finding[]> {
  return findRedisProblems(await withTimeout(jobClient().redis.info(), redisMs));
}

async function checkClocks(): Promise<Finding[]> {
  const askedMs = Date.now();
  const mongoMs = (await databaseTime()).getTime();
  const own = { name: 'this machine', skewMs: (askedMs + Date.now()) / 2 - mongoMs };
  const workers = (await listLiveWorkers()).flatMap(({ _id, clockAt, seenAt }) =>
    clockAt ? { name: `worker ${_id}`, skewMs: clockAt.getTime() - seenAt.getTime() } : [],
  );
  return [own, ...workers]
    .filter(({ skewMs }) => Math.abs(skewMs) > maxSkewMs)
    .map(({ name, skewMs }) => ({
      problem: `the clock of ${name} is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} MongoDB's`,
      fix: 'synchronize the clocks with NTP: retries and delays come early or late',
    }));
}

async function checkSweeper(): Promise<Finding[]> {
  const lease = await Lease.findById('sweeper').lean<{ until: Date }>();
  if (!lease || lease.until.getTime() < databaseNow().getTime())
    return [
      {
        problem: lease ? `it has not swept since ${lease.until.toISOString()}` : 'it has never swept',
        fix: 'start worker-maintenance, which recovers lost jobs',
      },
    ];
  const overdue = await jobCollection().countDocuments(
    { state: { $in: ['accepted', 'queued'] }, deadlineAt: { $lt: longAgo() } },
    { limit: compared },
  );
  return overdue === 0
    ? []
    : [
        {
          problem: `it lags: ${atLeast(overdue)} jobs should have timed out more than a minute ago`,
          fix: 'see the log of worker-maintenance for failed sweeps',
        },
      ];
}

async function checkKinds(): Promise<Finding[]> {
  return (await listKindStates()).flatMap(({ kind, waiting, workers, pause }): Finding[] => {
    if (pause)
      return [
        {
          problem: `${kind} is paused since ${pause.pausedAt.toISOString()} by ${pause.pausedBy}; ${waiting} jobs wait`,
          fix: 'resume it at /admin/kinds when the reason is gone',
        },
      ];
    if (waiting === 0 || workers > 0) return [];
    return [
      {
        problem: `${waiting} jobs of ${kind} wait, and no live worker runs this kind`,
        fix: 'start its worker; /readyz says why one does not run',
      },
    ];
  });
}

/** A limit of 0 stops a kind for one organization, and may have been forgotten. */
async function checkLimits(): Promise<Finding[]> {
  const stops = (await listLimits()).filter(({ limit }) => limit === 0);
  return Promise.all(
    stops.map(async (limit): Promise<Finding> => {
      const { kind, organization = '', setBy, setAt } = limit;
      const waiting = await jobCollection().countDocuments(
        { kind, organization, 'waiting.reason': 'limit' },
        { limit: compared },
      );
      return {
        problem: `the limit of ${describeLimit(limit)} is 0 since ${setAt.toISOString()} by ${setBy}; ${atLeast(waiting)} jobs wait`,
        fix: `when the reason is gone, \`bindery jobs limits clear ${kind} --organization ${organization}\` or /admin/kinds/${kind}/limits`,
      };
    }),
  );
}

async function checkRuns(): Promise<Finding[]> {
  const lost = await jobCollection().countDocuments(
    { queue: { $in: [...queueNames] }, state: 'running', leaseUntil: { $lt: longAgo() } },
    { limit: compared },
  );
  return lost === 0
    ? []
    : [
        {
          problem: `${atLeast(lost)} jobs run whose lease ended more than a minute ago`,
          fix: 'start worker-maintenance; if it runs, see its log',
        },
      ];
}

/** Compares the oldest queued records of a queue with their entries, and its first entries with records. */
async function checkQueues(): Promise<Finding[]> {
  const findings = await Promise.all(
    queueNames.map(async (name): Promise<Finding[]> => {
      const queue = queueOf(name);
      const [records, entries] = await Promise.all([
        jobCollection()
          .find({ queue: name, state: 'queued', dispatchedAt: { $lt: longAgo() } })
          .project<{ _id: string; dispatch: number }>({ dispatch: 1 })
          .sort({ dispatchedAt: 1 })
          .limit(compared)
          .toArray(),
        withTimeout(queue.getJobs(['waiting', 'prioritized', 'delayed'], 0, compared - 1), redisMs),
      ]);
      const states = await withTimeout(
        Promise.all(records.map((record) => queue.getJobState(dispatchId(record)))),
        redisMs,
      );
      const withoutEntry = states.filter((state) => state === 'unknown').length;
      const ids = new Set(entries.flatMap((entry) => jobOfQueueEntry(String(entry?.id)) ?? []));
      const known = await jobCollection().countDocuments({ _id: { $in: [...ids] } });
      return [
        ...orphans(
          withoutEntry,
          `queued jobs have no entry in the queue ${name}`,
          'start worker-maintenance, whose sweeper adds them again',
        ),
        ...orphans(
          ids.size - known,
          `entries of the queue ${name} have no job`,
          'nothing: a worker drops them; after a restore of MongoDB they are expected',
        ),
      ];
    }),
  );
  return findings.flat();
}

function orphans(count: number, what: string, fix: string): Finding[] {
  return count > 0 ? [{ problem: `${atLeast(count)} ${what}`, fix }] : [];
}

async function checkDisk(): Promise<Finding[]> {
  const [stats, local] = await Promise.all([mongoDatabase().command({ dbStats: 1 }), statfs(tmpdir())]);
  const total = Number(stats['fsTotalSize'] ?? 0);
  const shares = [
    { name: 'MongoDB', free: total === 0 ? 1 : 1 - Number(stats['fsUsedSize'] ?? 0) / total },
    { name: `${tmpdir()} on this machine`, free: local.blocks === 0 ? 1 : local.bavail / local.blocks },
  ];
  return shares
    .filter(({ free }) => free < minFreeShare)
    .map(({ name, free }) => ({
      problem: `the disk of ${name} has ${(100 * free).toFixed(1)} % left`,
      fix: 'free space or enlarge it: below a few percent, writes and jobs fail',
    }));
}

function longAgo(): Date {
  return new Date(databaseNow().getTime() - patienceMs);
}

function atLeast(count: number): string {
  return count < compared ? String(count) : `${count} or more`;
}
