import { ApiError, type JobState } from '@bindery/contract';
import { databaseNow, jobCollection, JobReplay, type JobReplayRecord } from '@bindery/models';
import { compact, faultPoint, newId, type Logger } from '@bindery/runtime';
import { retryJob } from '../accept/controlJob.ts';
import { leadInTurns } from '../state/leadership.ts';
import { findJobs, type JobFilter } from './findJobs.ts';

/** The most jobs of one replay. */
export const maxReplayed = 1_000;
/** The states of jobs that a replay may run again. */
export const replayableStates = ['failed', 'timed_out', 'cancelled'] as const satisfies readonly JobState[];

const perPage = 250;
/** Each page reads a limited number of jobs. */
const maxPages = 20;
const proposedHours = 24;
const keptDays = 400;

export type ReplayFilter = Omit<JobFilter, 'states'> & { state: (typeof replayableStates)[number] };

/**
 * Chooses the jobs of a replay, the newest that match, and runs none: the dry run. It lapses after a day.
 *
 * @param createdBy  the operator
 */
export async function proposeReplay(filter: ReplayFilter, createdBy: string): Promise<JobReplayRecord> {
  const { state, ...others } = filter;
  const wanted = { ...others, states: [state] };
  const jobs: JobReplayRecord['jobs'] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    const page = await findJobs(wanted, { limit: Math.min(perPage, maxReplayed - jobs.length), after });
    jobs.push(...page.jobs.map(({ _id: id, dispatch }) => ({ id, dispatch })));
    after = page.next;
    pages += 1;
  } while (after !== undefined && jobs.length < maxReplayed && pages < maxPages);
  const createdAt = databaseNow();
  const replay: JobReplayRecord = {
    _id: newId(),
    filter: compact(wanted),
    jobs: jobs.reverse(),
    hasMore: after !== undefined,
    state: 'proposed',
    done: 0,
    skipped: 0,
    createdBy,
    createdAt,
    expireAt: new Date(createdAt.getTime() + proposedHours * 3_600_000),
  };
  await JobReplay.create(replay);
  return replay;
}

/**
 * Starts a proposed replay; the maintenance worker runs its jobs again, one after the other. Starting it
 * twice changes nothing.
 *
 * @throws ApiError not_found when it does not exist or has lapsed
 */
export async function startReplay(id: string): Promise<void> {
  const startedAt = databaseNow();
  const expireAt = new Date(startedAt.getTime() + keptDays * 86_400_000);
  await JobReplay.updateOne(
    { _id: id, state: 'proposed' },
    { $set: { state: 'running', startedAt, expireAt } },
  );
  if (!(await JobReplay.exists({ _id: id })))
    throw new ApiError('not_found', 'There is no such replay; one that is not started lapses after a day.');
}

/** Continues started replays. Any number of processes may call it. @returns a function that stops it */
export function startReplays({ logger }: { logger: Logger }): () => Promise<void> {
  return leadInTurns('replays', {
    leaseMs: 30_000,
    pauseMs: 2_000,
    turn: async ({ signal }) => continueReplays(signal),
    logger,
    failure: 'a replay of jobs was interrupted; it continues',
  });
}

/**
 * Runs the jobs of started replays again, from where the last process stopped. Safe to run at any time and in
 * several processes at once.
 */
export async function continueReplays(signal?: AbortSignal): Promise<void> {
  const replays = await JobReplay.find({ state: 'running' })
    .sort({ startedAt: 1 })
    .limit(10)
    .lean<JobReplayRecord[]>();
  for (const replay of replays) await continueReplay(replay, signal);
}

async function continueReplay(
  { _id, jobs, done }: JobReplayRecord,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const [index, job] of jobs.entries()) {
    if (index < done) continue;
    if (signal?.aborted) return;
    const isReplayed = await replayOnce(job);
    await faultPoint('replay.replayed');
    const { matchedCount } = await JobReplay.updateOne(
      { _id, state: 'running', done: index },
      { $inc: { done: 1, skipped: isReplayed ? 0 : 1 } },
    );
    // Another process continues it.
    if (matchedCount === 0) return;
  }
  await JobReplay.updateOne(
    { _id, state: 'running', done: jobs.length },
    { $set: { state: 'finished', finishedAt: databaseNow() } },
  );
}

/**
 * Runs a job again unless it was run again since the replay was proposed.
 *
 * @returns whether it has run again, now or before
 */
async function replayOnce({ id, dispatch }: JobReplayRecord['jobs'][number]): Promise<boolean> {
  try {
    await retryJob(id, { dispatch });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    const job = await jobCollection().findOne({ _id: id }, { projection: { dispatch: 1 } });
    return job !== null && job.dispatch > dispatch;
  }
}
