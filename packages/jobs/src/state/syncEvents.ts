import {
  jobCollection,
  Space,
  writeOutboxEvents,
  type JobEventRecord,
  type JobRecord,
  type NewOutboxEvent,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import { now } from '../queue/pipeline.ts';

/**
 * The start and the end of a git sync are events for webhooks, queued in the job record: the write that
 * starts or ends the job also adds the event to `events.owed`, under its own id; `publishSyncEvents` moves it
 * to the outbox. So no event is lost when a process dies in between, and none is sent twice.
 */

/** Parts of the update pipelines that start and end jobs. Jobs other than git syncs have no `events`. */
const unchanged = { $ifNull: ['$events', '$$REMOVE'] };

/**
 * Sets `events` when a worker claims a job for the first time, or for the first time after a retry by a user.
 */
export function eventsAtStart() {
  const started = { type: 'started', _id: idOf('started', { $add: ['$epoch', 1] }), at: now };
  return { $cond: [{ $eq: ['$events.isOpen', false] }, noted(started, true), unchanged] };
}

/** Returns the fields of the event that ends a job. */
export function eventAtEnd({ state, result }: Pick<JobRecord, 'state' | 'result'>) {
  const { revision, commit } = result ?? {};
  return {
    // A superseded sync counts as success: a newer one did its work.
    state: state === 'succeeded' || state === 'superseded' ? 'success' : 'failure',
    ...(typeof revision === 'string' && { revision }),
    ...(typeof commit === 'string' && { commit }),
  };
}

/**
 * Sets `events` of a job that ends, in any way; a job that never started has no event.
 *
 * @param event  the result of `eventAtEnd`, literal, or the field that holds it
 */
export function eventsAtEnd(event: { $literal: ReturnType<typeof eventAtEnd> } | `$${string}`) {
  const completed = {
    $mergeObjects: [event, { type: 'completed', _id: idOf('completed', '$epoch'), at: now }],
  };
  return { $cond: [{ $eq: ['$events.isOpen', true] }, noted(completed, false), unchanged] };
}

function idOf(type: JobEventRecord['type'], epoch: unknown) {
  return { $concat: ['$_id', `-${type}-`, { $toString: epoch }] };
}

function noted(event: object, isOpen: boolean) {
  return { isOpen, owed: { $concatArrays: ['$events.owed', [event]] } };
}

const jobsAtOnce = 100;

/**
 * Moves owed events of jobs into the outbox. Safe to run at any time and in several processes at once: an
 * event has the same id in each.
 *
 * @returns whether there may be more
 */
export async function publishSyncEvents(): Promise<boolean> {
  const jobs = await jobCollection()
    .find(
      { 'events.owed.at': { $exists: true } },
      { projection: { organization: 1, startedIn: 1, subject: 1, events: 1 } },
    )
    .sort({ 'events.owed.at': 1 })
    .limit(jobsAtOnce)
    .toArray();
  if (jobs.length === 0) return false;
  const spaces = await Space.find(
    { _id: { $in: jobs.map(({ subject }) => subject.id) } },
    { revision: 1 },
  ).lean();
  const revisions = new Map(spaces.map(({ _id, revision }) => [_id, revision]));
  await writeOutboxEvents(jobs.flatMap((job) => eventsOf(job, revisions.get(job.subject.id))));
  for (const { _id, events } of jobs) {
    const told = events?.owed.map((event) => event._id) ?? [];
    await jobCollection().updateOne({ _id }, { $pull: { 'events.owed': { _id: { $in: told } } } });
  }
  return jobs.length === jobsAtOnce;
}

/** @param shown  the revision that the space shows; a deleted space has none, and publishes no events */
function eventsOf(
  { organization, startedIn, subject, events }: JobRecord,
  shown: string | undefined,
): NewOutboxEvent[] {
  if (shown === undefined) return [];
  const space = { _id: subject.id, organization: startedIn ?? organization };
  return (events?.owed ?? []).map((event) => {
    const { _id, at } = event;
    if (event.type === 'started')
      return { _id, at, space, type: 'space_gitsync_started', data: { revisionId: shown } };
    const { state, revision, commit } = event;
    const data = compact({ revisionId: revision ?? shown, commitId: commit, state });
    return { _id, at, space, type: 'space_gitsync_completed', data };
  });
}
