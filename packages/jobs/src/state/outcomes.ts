import { finalJobStates } from '@bindery/contract';
import {
  jobCollection,
  jobOutcomeCollection,
  withTransaction,
  type ClientSession,
  type JobRecord,
} from '@bindery/models';
import { faultPoint, type Logger } from '@bindery/runtime';
import { jobClient } from '../queue/client.ts';
import { queueNames, retiredQueues } from '../definitions/defineJob.ts';
import { gitJobs } from '../definitions/git.ts';
import { contentImportJobs } from '../definitions/import.ts';
import { openapiJobs } from '../definitions/openapi.ts';
import { expireLog } from './jobLog.ts';
import { leadInTurns } from './leadership.ts';
import { after } from '../queue/pipeline.ts';
import { publishSyncEvents } from './syncEvents.ts';

/**
 * Job records expire, but resources show job outcomes as long as they exist. So each write that ends a job
 * shown by a resource marks its outcome as owed, and sets no expiry. `keepOutcomes` copies the outcome to
 * `jobOutcomes` and sets the expiry, in one transaction: no outcome is lost, and ending a job still takes one
 * write.
 */

/** The keys of a job's kept outcome, by kind. A later job's outcome replaces the one under the same key. */
const outcomeKeysOf: Record<string, (job: JobRecord) => string[]> = {
  [gitJobs.importRepository.kind]: lastOperation,
  // A failed export may still have pushed its commit; later jobs find it in the checkpoint.
  [gitJobs.exportRepository.kind]: (job) => [
    ...lastOperation(job),
    ...(job.state !== 'succeeded' && job.checkpoint !== undefined ? [job._id] : []),
  ],
  [openapiJobs.processSpec.kind]: ({ subject }) => [`openapi:${subject.id}`],
  // Also for wiki imports, which have the same kind.
  [contentImportJobs.importContent.kind]: ({ _id }) => [_id],
};

function lastOperation({ subject, startedAt }: JobRecord): string[] {
  return startedAt ? [lastGitOperationKey(subject.id)] : [];
}

/** The key of the last git sync of a space. */
export function lastGitOperationKey(spaceId: string): string {
  return `git:${spaceId}`;
}

const kinds = Object.keys(outcomeKeysOf);
/**
 * The number of kept exports per space that ended after their push but without success; later jobs have long
 * overtaken older ones.
 */
const unrecordedPushesKept = 100;

const dayMs = 86_400_000;
const retentionMs = () => jobClient().config.jobs.retentionDays * dayMs;

/** Only their jobs show dry runs and standalone syncs. */
const isShown = {
  $and: [{ $in: ['$kind', kinds] }, { $ne: ['$input.dryRun', true] }, { $ne: ['$input.standalone', true] }],
};

/** Part of each write that ends a job: decides how long its record is kept. */
export function keepingAtEnd() {
  return {
    outcome: { $cond: [isShown, 'owed', '$$REMOVE'] },
    expireAt: { $cond: [isShown, '$$REMOVE', after(retentionMs())] },
  };
}

const jobsAtOnce = 100;

/**
 * Keeps the owed outcomes, and sets the expiry of their jobs. Safe to run at any time and in several
 * processes at once.
 *
 * A job that also owes events waits until those are published.
 * @returns whether there may be more
 */
export async function keepOutcomes(): Promise<boolean> {
  const owed = await jobCollection()
    .find(
      { outcome: 'owed', finishedAt: { $exists: true }, 'events.owed.0': { $exists: false } },
      { projection: { _id: 1 } },
    )
    .sort({ finishedAt: 1 })
    .limit(jobsAtOnce)
    .toArray();
  for (const { _id } of owed) await withTransaction((session) => keepOutcome(_id, session));
  return owed.length === jobsAtOnce;
}

async function keepOutcome(_id: string, session: ClientSession): Promise<void> {
  const expireAt = { $dateAdd: { startDate: '$finishedAt', unit: 'millisecond', amount: retentionMs() } };
  // The job may have started again, or another process may have kept its outcome.
  const job = await jobCollection().findOneAndUpdate(
    { _id, outcome: 'owed', finishedAt: { $exists: true }, 'events.owed.0': { $exists: false } },
    [{ $set: { outcome: 'kept', expireAt } }],
    { session, returnDocument: 'before' },
  );
  if (job?.finishedAt)
    await expireLog({ ...job, expireAt: new Date(job.finishedAt.getTime() + retentionMs()) }, session);
  if (!job || job.isSubjectGone) return;
  const keys = outcomeKeysOf[job.kind]?.(job) ?? [];
  for (const key of keys) await writeOutcome(job, key, session);
  if (job.kind === gitJobs.exportRepository.kind && keys.includes(_id))
    await dropOldPushes(job.subject.id, session);
  await faultPoint('outcome.kept');
}

async function writeOutcome(job: JobRecord, key: string, session: ClientSession): Promise<void> {
  const { outcome: _outcome, events: _events, ...shown } = job;
  const space = job.space ?? (job.subject.type === 'space' ? job.subject.id : undefined);
  const record = {
    ...shown,
    _id: key,
    job: job._id,
    logLines: 0,
    attempts: [],
    ...(space !== undefined && { space }),
  };
  const isNewer = { $gt: ['$createdAt', job.createdAt] };
  await jobOutcomeCollection().updateOne(
    { _id: key },
    [{ $replaceWith: { $cond: [isNewer, '$$ROOT', { $literal: record }] } }],
    {
      upsert: true,
      session,
    },
  );
}

async function dropOldPushes(spaceId: string, session: ClientSession): Promise<void> {
  const old = await jobOutcomeCollection()
    .find(
      {
        'subject.id': spaceId,
        kind: gitJobs.exportRepository.kind,
        _id: { $ne: lastGitOperationKey(spaceId) },
      },
      { session, projection: { _id: 1 } },
    )
    .sort({ createdAt: -1 })
    .skip(unrecordedPushesKept)
    .toArray();
  if (old.length > 0)
    await jobOutcomeCollection().deleteMany({ _id: { $in: old.map(({ _id }) => _id) } }, { session });
}

/**
 * Marks the outcomes of jobs as owed that ended under an earlier version of the platform. Safe to run at any
 * time and in several processes at once.
 */
export async function oweEarlierOutcomes(): Promise<void> {
  await jobCollection().updateMany(
    {
      queue: { $in: [...queueNames, ...Object.keys(retiredQueues)] },
      state: { $in: [...finalJobStates] },
      outcome: { $exists: false },
      $expr: isShown,
    },
    { $set: { outcome: 'owed' }, $unset: { expireAt: '' } },
  );
}

/** Resources show an outcome from the job record until it is kept, so a delay is harmless. */
const pauseMs = 1_000;
const leaseMs = 10_000;

/**
 * Keeps outcomes as jobs end. Any number of processes may call it; one of them does the work.
 *
 * @returns a function that stops it
 */
export function startOutcomeKeeper({ logger }: { logger: Logger }): () => Promise<void> {
  let haveEarlierOwed = false;
  return leadInTurns('outcomes', {
    leaseMs,
    pauseMs,
    turn: async () => {
      if (!haveEarlierOwed) await oweEarlierOutcomes();
      haveEarlierOwed = true;
      await publishSyncEvents();
      return keepOutcomes();
    },
    logger,
    failure: 'outcomes of jobs could not be kept; it is tried again',
  });
}
