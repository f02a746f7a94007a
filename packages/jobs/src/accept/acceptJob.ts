import {
  databaseNow,
  isCommitAwaited,
  jobCollection,
  withTransaction,
  type ClientSession,
  type JobRecord,
} from '@bindery/models';
import { faultPoint, newId } from '@bindery/runtime';
import { activeTraceparent } from '@bindery/tracing';
import type { z } from 'zod';
import type { JobDefinition } from '../definitions/defineJob.ts';
import { addToQueue } from '../queue/dispatch.ts';
import { announce } from '../queue/events.ts';
import { isLaneTaken, releaseLane, waitingForLane } from '../queue/lanes.ts';
import { supersedeWaiting, type Supersedes } from '../state/waitingJobs.ts';
import { withQueueSlot } from '../queue/window.ts';

export type JobRequest<Input extends z.ZodObject> = {
  organization: string;
  /** The subject of the job; a user who may view it may see the job. */
  subject: { type: 'space' | 'change-request' | 'openapi-spec' | 'translation'; id: string };
  /** The space of the subject; a user who may view the space may see the job. */
  space?: string;
  startedBy: string;
  /** The permission that cancelling and retrying need, mostly that for starting: `space.triggerGitSync`. */
  permission: string;
  /** Also lets `startedBy` cancel and retry it, where starting needs less than `permission`. */
  starterControls?: true;
  input: z.input<Input>;
  traceparent?: string | undefined;
  /** Supersedes waiting jobs of the lane whose work this job includes. */
  supersedes?: Supersedes;
  /** The resource's own write, in the same transaction. It may run more than once. */
  also?: (session: ClientSession, jobId: string) => Promise<void>;
};

/**
 * Accepts a job: writes its record in one transaction with the resource's own write, then adds its id to
 * Redis.
 *
 * An accepted job survives the loss of this process or of Redis. The call takes at most the dispatch timeout
 * longer than MongoDB does.
 * @throws what `also` throws, and MongoDB's errors; then nothing was accepted
 */
export async function acceptJob<Input extends z.ZodObject, Result extends z.ZodObject>(
  definition: JobDefinition<Input, Result>,
  request: JobRequest<Input> & { joinKey?: string },
): Promise<JobRecord> {
  const input = definition.input.parse(request.input);
  const lane = definition.lane?.(input);
  const events = definition.isGitSync?.(input) ? { events: { isOpen: false, owed: [] } } : {};
  if (lane !== undefined && (await isLaneTaken(lane))) {
    const job = buildJob(definition, request, {
      input,
      lane,
      ...events,
      state: 'accepted',
      waiting: waitingForLane,
    });
    await insertJob(job, request);
    // If the lane became free after the check above, no other process would release it.
    await releaseLane(lane);
    return job;
  }
  return withQueueSlot(definition.queue, request.organization, async (slot) => {
    const job = buildJob(definition, request, {
      input,
      lane,
      ...events,
      state: slot ? 'queued' : 'accepted',
    });
    await insertJob(job, request);
    if (slot) await addToQueue(job, { priority: await slot.priority });
    return job;
  });
}

function buildJob(
  definition: JobDefinition,
  request: Omit<JobRequest<z.ZodObject>, 'input'> & { joinKey?: string },
  start: Pick<JobRecord, 'input' | 'lane' | 'events' | 'state' | 'waiting'>,
): JobRecord {
  const createdAt = databaseNow();
  return {
    _id: newId(),
    kind: definition.kind,
    queue: definition.queue,
    version: definition.version,
    organization: request.organization,
    subject: request.subject,
    space: request.space,
    startedBy: request.startedBy,
    permission: request.permission,
    starterControls: request.starterControls,
    joinKey: request.joinKey,
    ...start,
    epoch: 0,
    dispatch: start.state === 'queued' ? 1 : 0,
    dispatchedAt: null,
    tries: 0,
    crashes: 0,
    resourceTries: 0,
    attempts: [],
    stats: {},
    logLines: 0,
    logDropped: 0,
    cancelRequestedAt: null,
    seq: 1,
    traceparent: request.traceparent ?? activeTraceparent(),
    maxWaitMs: definition.maxWaitMs,
    createdAt,
    deadlineAt: new Date(createdAt.getTime() + definition.maxWaitMs),
  };
}

async function insertJob(
  job: JobRecord,
  { also, supersedes }: Pick<JobRequest<z.ZodObject>, 'also' | 'supersedes'>,
): Promise<void> {
  let superseded: string[] = [];
  if (also || supersedes || isCommitAwaited()) {
    await withTransaction(async (session) => {
      await also?.(session, job._id);
      superseded = supersedes ? await supersedeWaiting(job, supersedes, session) : [];
      await jobCollection().insertOne(job, { session, ignoreUndefined: true });
    });
  } else {
    await jobCollection().insertOne(job, { ignoreUndefined: true });
  }
  for (const id of superseded) announce(id);
  await faultPoint('job.accepted');
}
