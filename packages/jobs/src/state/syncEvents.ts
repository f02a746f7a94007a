import { jobCollection, Space, writeOutboxEvents, type JobEventRecord, type JobRecord, type NewOutboxEvent } from '@bindery/models';
import { now } from '../queue/pipeline.ts';

/**
 * The start and the end of a git sync are events that webhooks hear of. The job record is where they wait: each is noted in `events.owed` by the very
 * write that starts or ends the job, whoever makes it, under an id of its own; `publishSyncEvents` puts it into the outbox and takes it off.
 * So none is lost when a process dies in between, and none is told twice.
 */

/** Parts of the update pipelines that start and end jobs. Jobs that are no git sync have no `events`, and stay without. */
const unchanged = { $ifNull: ['$events', '$$REMOVE'] };

/** `events` of a job that a worker takes: the first time, and the first time after somebody has had it run again. */
export function eventsAtStart() {
  const started = { type: 'started', _id: idOf('started', { $add: ['$epoch', 1] }), at: now };
  return { $cond: [{ $eq: ['$events.isOpen', false] }, noted(started, true), unchanged] };
}

/** What the event of an end tells of it. */
export function eventAtEnd({ state, result }: Pick<JobRecord, 'state' | 'result'>) {
  const { revision, commit } = result ?? {};
  return {
    // An event that a newer one overtook did all that was to be done.
    state: state === 'succeeded' || state === 'superseded' ? 'success' : 'failure',
    ...(typeof revision === 'string' && { revision }),
    ...(typeof commit === 'string' && { commit }),
  };
}

/**
 * `events` of a job that ends, in whatever way; one that ends before it was started has nothing to tell.
 *
 * @param event  what `eventAtEnd` gives, literal, or the field that holds it
 */
export function eventsAtEnd(event: { $literal: ReturnType<typeof eventAtEnd> } | `$${string}`) {
  const completed = { $mergeObjects: [event, { type: 'completed', _id: idOf('completed', '$epoch'), at: now }] };
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
 * Puts the events that jobs owe into the outbox. Safe to run at any time and by several processes at once: an event has one id, whoever writes it.
 *
 * @returns whether there may be more
 */
export async function publishSyncEvents(): Promise<boolean> {
  const jobs = await jobCollection()
    .find({ 'events.owed.at': { $exists: true } }, { projection: { organization: 1, startedIn: 1, subject: 1, events: 1 } })
    .sort({ 'events.owed.at': 1 })
    .limit(jobsAtOnce)
    .toArray();
  if (jobs.length === 0) return false;
  const spaces = await Space.find({ _id: { $in: jobs.map(({ subject }) => subject.id) } }, { revision: 1 }).lean();
  const revisions = new Map(spaces.map(({ _id, revision }) => [_id, revision]));
  await writeOutboxEvents(jobs.flatMap((job) => eventsOf(job, revisions.get(job.subject.id))));
  for (const { _id, events } of jobs) {
    const told = events?.owed.map((event) => event._id) ?? [];
    await jobCollection().updateOne({ _id }, { $pull: { 'events.owed': { _id: { $in: told } } } });
  }
  return jobs.length === jobsAtOnce;
}

/** @param shown  the revision that the space shows; a space that is gone for good has none, and nobody is told of it */
function eventsOf({ organization, startedIn, subject, events }: JobRecord, shown: string | undefined): NewOutboxEvent[] {
  if (shown === undefined) return [];
  const space = { _id: subject.id, organization: startedIn ?? organization };
  return (events?.owed ?? []).map((event) => {
    const { _id, at } = event;
    if (event.type === 'started') return { _id, at, space, type: 'space_gitsync_started', data: { revisionId: shown } };
    const { state, revision, commit } = event;
    const data = { revisionId: revision ?? shown, ...(commit !== undefined && { commitId: commit }), state };
    return { _id, at, space, type: 'space_gitsync_completed', data };
  });
}
