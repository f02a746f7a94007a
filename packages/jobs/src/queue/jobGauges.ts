import {
  oldestWaits,
  pausedKinds,
  unfinishedJobs,
  workers,
  workerSlots,
  type GaugeValues,
} from '@bindery/metrics';
import { databaseNow, isUnexpired, jobCollection, KindPause, WorkerEntry } from '@bindery/models';
import { queueNames, retiredQueues } from '../definitions/defineJob.ts';

/** A query that takes longer fails, and its gauges are absent: metrics must not burden a busy store. */
const maxTimeMs = 4_000;

type JobCount = {
  _id: { queue: string; kind: string; state: string; reason?: string | null };
  count: number;
  oldest: Date;
};

/**
 * Counts the jobs that have not ended and the live workers of the whole installation. Reads index keys only,
 * of jobs that have not ended.
 */
export async function readJobGauges(): Promise<GaugeValues[]> {
  const [jobs, live, pauses] = await Promise.all([countJobs(), countWorkers(), KindPause.find().lean()]);
  return [
    {
      gauge: unfinishedJobs,
      values: countsOf(jobs),
    },
    { gauge: oldestWaits, values: waitsOf(jobs) },
    { gauge: pausedKinds, values: pauses.map(({ _id: kind }) => ({ labels: { kind }, value: 1 })) },
    {
      gauge: workers,
      values: live.map(({ _id: app, processes }) => ({ labels: { app }, value: processes })),
    },
    {
      gauge: workerSlots,
      values: live.flatMap(({ _id: app, slots, busy }) => [
        { labels: { app, state: 'busy' }, value: busy },
        { labels: { app, state: 'free' }, value: slots - busy },
      ]),
    },
  ];
}

/** Counts the jobs that have not ended, by what they are and what they wait for. Reads index keys only. */
export async function countJobs(): Promise<JobCount[]> {
  return jobCollection()
    .aggregate<JobCount>(
      [
        {
          $match: {
            queue: { $in: [...queueNames, ...Object.keys(retiredQueues)] },
            state: { $in: ['accepted', 'queued', 'running'] },
          },
        },
        {
          $group: {
            _id: { queue: '$queue', kind: '$kind', state: '$state', reason: '$waiting.reason' },
            count: { $sum: 1 },
            oldest: { $min: '$createdAt' },
          },
        },
      ],
      { maxTimeMS: maxTimeMs },
    )
    .toArray();
}

/** The numbers by queue, kind and state, whatever the jobs wait for. */
function countsOf(jobs: readonly JobCount[]) {
  const groups = Map.groupBy(jobs, ({ _id: { queue, kind, state } }) => `${queue} ${kind} ${state}`);
  return [...groups.values()].map((group) => {
    const { queue, kind, state } = group[0]!._id;
    return { labels: { queue, kind, state }, value: group.reduce((sum, { count }) => sum + count, 0) };
  });
}

/** Jobs that wait for a lane, for a retry or for a paused kind wait for no worker. */
function waitsOf(jobs: readonly JobCount[]) {
  const waiting = jobs.filter(({ _id: { state, reason } }) => state !== 'running' && !reason);
  const groups = Map.groupBy(waiting, ({ _id: { queue, kind } }) => `${queue} ${kind}`);
  const nowMs = databaseNow().getTime();
  return [...groups.values()].map((group) => {
    const { queue, kind } = group[0]!._id;
    const oldestMs = Math.min(...group.map(({ oldest }) => oldest.getTime()));
    return { labels: { queue, kind }, value: Math.max(0, (nowMs - oldestMs) / 1_000) };
  });
}

async function countWorkers() {
  return WorkerEntry.aggregate<{ _id: string; processes: number; slots: number; busy: number }>([
    { $match: isUnexpired },
    {
      $group: {
        _id: '$app',
        processes: { $sum: 1 },
        slots: { $sum: '$concurrency' },
        busy: { $sum: '$running' },
      },
    },
  ]).option({ maxTimeMS: maxTimeMs });
}
