import type { JobErrorClass, JobErrorCode, JobState } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import { mongoDatabase } from '../database/connection.ts';

export type JobErrorRecord = { class: JobErrorClass; code: JobErrorCode; message: string; action?: string };

export type JobAttempt = {
  epoch: number;
  worker: string;
  startedAt: Date;
  endedAt?: Date;
  outcome?: 'succeeded' | 'failed' | 'retried' | 'crashed' | 'cancelled' | 'timed_out' | 'superseded' | 'handed_back';
  error?: JobErrorRecord;
};

export type JobWaiting = { reason: 'lane' | 'version' | 'retry'; message: string; until?: Date };

/** What a job owes to the webhooks of its organization: that it was started, or how it has ended. */
export type JobEventRecord = { _id: string; at: Date } & (
  | { type: 'started' }
  | { type: 'completed'; state: 'success' | 'failure'; revision?: string; commit?: string }
);

/** The record of a job and its outbox: Redis only carries its id. packages/jobs is the one place that writes it. */
export type JobRecord = {
  _id: string;
  kind: string;
  queue: string;
  /** Version of the input's shape. */
  version: number;
  organization: string;
  subject: { type: string; id: string };
  /** The space that the subject belongs to, whose readers see the job; absent where the subject is a space itself, or in none. */
  space?: string;
  /** The subject was removed, and with it what would decide who sees the job: nobody does. */
  isSubjectGone?: true;
  startedBy: string;
  /** The organization that it was started in, where its space was transferred since: it is not run again, and its events go there. */
  startedIn?: string;
  /** What the one who started it needed, so that cancelling and retrying need the same. */
  permission: string;
  /** Ids and small options; never a secret, never content. */
  input: Record<string, unknown>;
  /** Jobs of one lane never run together. */
  lane?: string;
  /** Names what comes out of it: whoever asks for the same meanwhile gets this job. No two that have not ended have the same. */
  joinKey?: string;
  state: JobState;
  /** Counts the runs: every write of a run carries its epoch, so that a run that lost its lease cannot write. */
  epoch: number;
  /** Counts the additions to Redis, which ignores an id that it has seen. */
  dispatch: number;
  /** null: owed to Redis. */
  dispatchedAt: Date | null;
  runAfter?: Date;
  waiting?: JobWaiting;
  /** Failed attempts that count, crashes, and attempts that failed for want of memory or disk, since the job was accepted or retried by hand. */
  tries: number;
  crashes: number;
  resourceTries: number;
  attempts: JobAttempt[];
  leaseUntil?: Date;
  worker?: string;
  /** Of a run that was claimed together with others: which claim it was. */
  claim?: string;
  /** While it runs: its places among the running jobs of its organization, each of which only one job has. */
  seats?: string[];
  progress?: { stage: string; done?: number; total?: number };
  stats: Record<string, number>;
  /** Lines that its runs have written to the log (jobLog.ts), and how many lines are not kept: the oldest go first. */
  logLines: number;
  logDropped: number;
  /** `seq` of the newest line: whoever has seen that one need not look for lines. */
  logSeq?: number;
  checkpoint?: unknown;
  result?: Record<string, unknown>;
  error?: JobErrorRecord;
  cancelRequestedAt: Date | null;
  /** How long it may wait for its first start, in milliseconds. Absent in jobs of earlier versions of the platform: they wait on. */
  maxWaitMs?: number;
  /** By when it must have been started; from then on by when it must have ended. */
  deadlineAt?: Date;
  /** Of a job whose outcome a resource shows, once it has ended: whether that is kept elsewhere too. Until then the record does not expire. */
  outcome?: 'owed' | 'kept';
  /** Of a git sync: whether its start was told and its end not yet, and the events that are not in the outbox yet. */
  events?: { isOpen: boolean; owed: JobEventRecord[] };
  /** Counts the changes that a watcher may want to see. */
  seq: number;
  traceparent?: string;
  createdAt: Date;
  startedAt?: Date;
  finishedAt?: Date;
  expireAt?: Date;
};

const schema = new Schema<JobRecord>(
  {
    _id: String,
    kind: { type: String, required: true },
    queue: { type: String, required: true },
    version: { type: Number, required: true },
    organization: { type: String, required: true },
    subject: { type: new Schema({ type: String, id: String }, { _id: false, typeKey: '$type' }) as never, required: true },
    space: String,
    isSubjectGone: Boolean as never,
    startedBy: { type: String, required: true },
    startedIn: String,
    permission: { type: String, required: true },
    input: { type: Schema.Types.Mixed, required: true },
    lane: String,
    joinKey: String,
    state: { type: String, required: true },
    epoch: { type: Number, default: 0 },
    dispatch: { type: Number, default: 0 },
    dispatchedAt: { type: Date, default: null },
    runAfter: Date,
    waiting: Schema.Types.Mixed as never,
    tries: { type: Number, default: 0 },
    crashes: { type: Number, default: 0 },
    resourceTries: { type: Number, default: 0 },
    attempts: { type: [Schema.Types.Mixed], default: [] } as never,
    leaseUntil: Date,
    worker: String,
    claim: String,
    seats: { type: [String], default: undefined } as never,
    progress: Schema.Types.Mixed as never,
    stats: { type: Schema.Types.Mixed, default: {} },
    logLines: { type: Number, default: 0 },
    logDropped: { type: Number, default: 0 },
    logSeq: Number,
    checkpoint: Schema.Types.Mixed,
    result: Schema.Types.Mixed as never,
    error: Schema.Types.Mixed as never,
    cancelRequestedAt: { type: Date, default: null },
    maxWaitMs: Number,
    deadlineAt: Date,
    outcome: String as never,
    events: Schema.Types.Mixed as never,
    seq: { type: Number, default: 1 },
    traceparent: String,
    createdAt: { type: Date, required: true },
    startedAt: Date,
    finishedAt: Date,
    expireAt: Date,
  },
  { collection: 'jobs', versionKey: false, minimize: false },
);
schema.index({ lane: 1 }, { unique: true, partialFilterExpression: { state: 'running', lane: { $exists: true } } });
schema.index({ organization: 1, seats: 1 }, { unique: true, partialFilterExpression: { state: 'running', seats: { $exists: true } } });
schema.index(
  { joinKey: 1 },
  { unique: true, partialFilterExpression: { joinKey: { $exists: true }, state: { $in: ['accepted', 'queued', 'running'] } } },
);
schema.index({ joinKey: 1, createdAt: -1 }, { partialFilterExpression: { joinKey: { $exists: true } } });
schema.index({ queue: 1, state: 1, 'waiting.reason': 1, organization: 1, runAfter: 1, createdAt: 1 });
schema.index({ queue: 1, dispatchedAt: 1 }, { partialFilterExpression: { state: 'queued' } });
schema.index({ state: 1, deadlineAt: 1 }, { partialFilterExpression: { deadlineAt: { $exists: true } } });
schema.index({ organization: 1, createdAt: -1, _id: -1 });
schema.index({ organization: 1, kind: 1, createdAt: -1, _id: -1 });
schema.index({ organization: 1, state: 1, createdAt: -1, _id: -1 });
schema.index({ lane: 1, state: 1, 'waiting.reason': 1 }, { partialFilterExpression: { lane: { $exists: true } } });
schema.index({ lane: 1, createdAt: 1 }, { partialFilterExpression: { 'waiting.reason': 'lane' } });
schema.index({ 'subject.id': 1, createdAt: -1, _id: -1 });
schema.index({ space: 1 }, { sparse: true });
schema.index({ 'events.owed.at': 1 }, { partialFilterExpression: { 'events.owed.at': { $exists: true } } });
schema.index({ outcome: 1, finishedAt: 1 }, { partialFilterExpression: { outcome: 'owed' } });
// Of records of an earlier version, for upgradeRecords.
schema.index({ createdAt: 1 }, { partialFilterExpression: { log: { $exists: true } } });
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { expireAt: { $exists: true } } });

/** The fields of a job, for the model of what is kept of it. */
export const jobFields = schema.obj;

/** For lists. Its collection and indexes are made with those of the other models. */
export const JobModel = mongoose.model('Job', schema);

/**
 * The driver's collection of jobs: packages/jobs writes with pipelines and MongoDB's own clock, which no schema has a say in.
 */
export function jobCollection() {
  return mongoDatabase().collection<JobRecord>('jobs');
}

/** A live worker process: refreshed while it lives, gone by itself when it does not. */
export type WorkerRecord = {
  _id: string;
  app: string;
  queues: string[];
  kinds: { kind: string; version: number }[];
  host: string;
  pid: number;
  concurrency: number;
  running: number;
  /** The runs that it holds (`runKey`), and when it said so by MongoDB's clock. */
  runs: string[];
  toldAt: Date;
  startedAt: Date;
  seenAt: Date;
  expireAt: Date;
};

const workerSchema = new Schema<WorkerRecord>(
  {
    _id: String,
    app: { type: String, required: true },
    queues: [String],
    kinds: [{ _id: false, kind: String, version: Number }],
    host: String,
    pid: Number,
    concurrency: Number,
    running: Number,
    runs: [String],
    toldAt: Date,
    startedAt: Date,
    seenAt: Date,
    expireAt: Date,
  },
  { collection: 'workers', versionKey: false },
);
workerSchema.index({ queues: 1, expireAt: 1 });
workerSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const WorkerEntry = mongoose.model('WorkerEntry', workerSchema);

/** Whether a record still counts, by MongoDB's clock: MongoDB removes what has expired once a minute only. */
export const isUnexpired = { $expr: { $gt: ['$expireAt', '$$NOW'] } };

/** Who may do what only one process may do; taken and renewed by MongoDB's clock. */
export type LeaseRecord = { _id: string; holder: string; until: Date };

export const Lease = mongoose.model(
  'Lease',
  new Schema<LeaseRecord>({ _id: String, holder: String, until: Date }, { collection: 'leases', versionKey: false }),
);
