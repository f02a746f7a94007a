import type { EngineOffer, JobErrorClass, JobErrorCode, JobState } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import { mongoDatabase } from '../database/connection.ts';

export type JobErrorRecord = { class: JobErrorClass; code: JobErrorCode; message: string; action?: string };

export type JobAttempt = {
  epoch: number;
  worker: string;
  startedAt: Date;
  endedAt?: Date;
  outcome?:
    | 'succeeded'
    | 'failed'
    | 'retried'
    | 'crashed'
    | 'cancelled'
    | 'timed_out'
    | 'superseded'
    | 'handed_back';
  error?: JobErrorRecord;
};

export type JobWaiting = {
  reason: 'lane' | 'version' | 'retry' | 'paused' | 'limit';
  message: string;
  until?: Date;
};

/** An event that a job owes to the webhooks of its organization: its start or its end. */
export type JobEventRecord = { _id: string; at: Date } & (
  | { type: 'started' }
  | { type: 'completed'; state: 'success' | 'failure'; revision?: string; commit?: string }
);

/** The record of a job and its outbox: Redis only carries its id. Only packages/jobs writes it. */
export type JobRecord = {
  _id: string;
  kind: string;
  queue: string;
  /** Version of the input's shape. */
  version: number;
  organization: string;
  subject: { type: string; id: string };
  /**
   * The space of the subject, whose readers see the job; absent when the subject is a space or belongs to
   * none.
   */
  space?: string;
  /** The subject was removed: nothing decides any more who sees the job, so no user does. */
  isSubjectGone?: true;
  startedBy: string;
  /**
   * The organization that started the job, if its space was transferred since: the job cannot be retried, and
   * its events go to this organization.
   */
  startedIn?: string;
  /** The permission to cancel and to retry the job; mostly that which starting it needed. */
  permission: string;
  /** The user who started the job may also cancel and retry it, while the subject is visible to them. */
  starterControls?: true;
  /** Ids and small options; never a secret, never content. */
  input: Record<string, unknown>;
  /** Jobs of one lane never run concurrently. */
  lane?: string;
  /** Identifies the result: requests for the same result join this job. Unique among unfinished jobs. */
  joinKey?: string;
  state: JobState;
  /**
   * Counts the runs: every write of a run checks its epoch, so that a run that lost its lease cannot write.
   */
  epoch: number;
  /** Counts the additions to Redis, which ignores an id that it has seen. */
  dispatch: number;
  /** null: owed to Redis. */
  dispatchedAt: Date | null;
  runAfter?: Date;
  waiting?: JobWaiting;
  /**
   * Failed attempts that count, crashes, and attempts that failed from lack of memory or disk, since the job
   * was accepted or retried by a user.
   */
  tries: number;
  crashes: number;
  resourceTries: number;
  attempts: JobAttempt[];
  leaseUntil?: Date;
  worker?: string;
  /** The batch of claims that this run's claim was part of. */
  claim?: string;
  /** The seats of a running job, each held by only one job. */
  seats?: string[];
  progress?: { stage: string; done?: number; total?: number };
  stats: Record<string, number>;
  /** The number of log lines written by its runs (jobLog.ts), and of those dropped: the oldest go first. */
  logLines: number;
  logDropped: number;
  /** `seq` of the newest line: a reader who has seen it need not load lines. */
  logSeq?: number;
  checkpoint?: unknown;
  result?: Record<string, unknown>;
  /** When the file of the result was last asked for. */
  resultUsedAt?: Date;
  error?: JobErrorRecord;
  cancelRequestedAt: Date | null;
  /**
   * The longest wait for its first start, in milliseconds. Absent in jobs of earlier versions of the
   * platform, which wait without limit.
   */
  maxWaitMs?: number;
  /** The deadline for its first start; after the start, for its end. */
  deadlineAt?: Date;
  /**
   * For an ended job whose outcome a resource shows: whether the outcome is kept elsewhere too. Until then
   * the record does not expire.
   */
  outcome?: 'owed' | 'kept';
  /**
   * For a git sync: `isOpen` after the start event until the end event; `owed` has the events not yet in the
   * outbox.
   */
  events?: { isOpen: boolean; owed: JobEventRecord[] };
  /** Counts the changes that matter to watchers. */
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
    subject: {
      type: new Schema({ type: String, id: String }, { _id: false, typeKey: '$type' }) as never,
      required: true,
    },
    space: String,
    isSubjectGone: Boolean as never,
    startedBy: { type: String, required: true },
    startedIn: String,
    permission: { type: String, required: true },
    starterControls: Boolean as never,
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
    resultUsedAt: Date,
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
schema.index(
  { lane: 1 },
  { unique: true, partialFilterExpression: { state: 'running', lane: { $exists: true } } },
);
schema.index(
  { organization: 1, seats: 1 },
  { unique: true, partialFilterExpression: { state: 'running', seats: { $exists: true } } },
);
schema.index(
  { joinKey: 1 },
  {
    unique: true,
    partialFilterExpression: {
      joinKey: { $exists: true },
      state: { $in: ['accepted', 'queued', 'running'] },
    },
  },
);
schema.index({ joinKey: 1, createdAt: -1 }, { partialFilterExpression: { joinKey: { $exists: true } } });
/**
 * The jobs of a queue by what they wait for and by organization. With the kind, so that the metrics count the
 * jobs that have not ended without reading them. Queries for one organization name it as their hint: MongoDB
 * would take an index of all jobs of the organization.
 */
export const jobsOfQueue = {
  queue: 1,
  state: 1,
  'waiting.reason': 1,
  organization: 1,
  runAfter: 1,
  createdAt: 1,
  kind: 1,
} as const;
schema.index(jobsOfQueue);
schema.index({ queue: 1, dispatchedAt: 1 }, { partialFilterExpression: { state: 'queued' } });
schema.index({ state: 1, deadlineAt: 1 }, { partialFilterExpression: { deadlineAt: { $exists: true } } });
schema.index({ organization: 1, createdAt: -1, _id: -1 });
schema.index({ organization: 1, kind: 1, createdAt: -1, _id: -1 });
schema.index({ organization: 1, state: 1, createdAt: -1, _id: -1 });
schema.index(
  { lane: 1, state: 1, 'waiting.reason': 1 },
  { partialFilterExpression: { lane: { $exists: true } } },
);
schema.index({ lane: 1, createdAt: 1 }, { partialFilterExpression: { 'waiting.reason': 'lane' } });
schema.index({ kind: 1, createdAt: 1 }, { partialFilterExpression: { 'waiting.reason': 'paused' } });
schema.index(
  { kind: 1, organization: 1, createdAt: 1 },
  { partialFilterExpression: { 'waiting.reason': 'limit' } },
);
schema.index({ 'subject.id': 1, createdAt: -1, _id: -1 });
// For operators, who look at the jobs of all organizations.
schema.index({ createdAt: -1, _id: -1 });
schema.index({ kind: 1, state: 1, createdAt: -1, _id: -1 });
schema.index({ space: 1 }, { sparse: true });
schema.index({ 'events.owed.at': 1 }, { partialFilterExpression: { 'events.owed.at': { $exists: true } } });
schema.index({ finishedAt: 1 }, { partialFilterExpression: { 'result.file': { $exists: true } } });
schema.index(
  { startedBy: 1 },
  { partialFilterExpression: { queue: 'pdf', state: { $in: ['accepted', 'queued', 'running'] } } },
);
schema.index({ outcome: 1, finishedAt: 1 }, { partialFilterExpression: { outcome: 'owed' } });
schema.index(
  { expireAt: 1 },
  { expireAfterSeconds: 0, partialFilterExpression: { expireAt: { $exists: true } } },
);

/** The fields of a job, for the model of its kept outcome. */
export const jobFields = schema.obj;

/** For lists. ensureIndexes creates its collection and indexes. */
export const JobModel = mongoose.model('Job', schema);

/**
 * The driver's collection of jobs: packages/jobs writes with pipelines and MongoDB's clock, which bypass the
 * schema.
 */
export function jobCollection() {
  return mongoDatabase().collection<JobRecord>('jobs');
}

/** A live worker process: refreshed while it lives; expires when it dies. */
export type WorkerRecord = {
  _id: string;
  app: string;
  queues: string[];
  kinds: { kind: string; version: number }[];
  host: string;
  pid: number;
  concurrency: number;
  running: number;
  /** Its runs (`runKey`), and when it reported them by MongoDB's clock. */
  runs: string[];
  toldAt: Date;
  /** The version of the platform. Absent for a worker of a version that did not tell. */
  version?: string;
  /** The clock of its process when it wrote `seenAt` by MongoDB's. */
  clockAt?: Date;
  /** Differs when the same input gives another result: names the version of the renderer, for example. */
  outputVersion?: string;
  /** The engines of a worker that translates. */
  engines?: EngineOffer[];
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
    version: String,
    clockAt: Date,
    outputVersion: String,
    engines: { type: [Schema.Types.Mixed], default: undefined } as never,
    startedAt: Date,
    seenAt: Date,
    expireAt: Date,
  },
  { collection: 'workers', versionKey: false },
);
workerSchema.index({ queues: 1, expireAt: 1 });
workerSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const WorkerEntry = mongoose.model('WorkerEntry', workerSchema);

/** Whether a record is unexpired by MongoDB's clock: MongoDB removes expired records only once a minute. */
export const isUnexpired = { $expr: { $gt: ['$expireAt', '$$NOW'] } };

/**
 * The holder of a task for one process only; taken and renewed by MongoDB's clock. `turns` counts the
 * transactions that exclude each other by writing the record.
 */
export type LeaseRecord = { _id: string; holder: string; until: Date; turns?: number };

export const Lease = mongoose.model(
  'Lease',
  new Schema<LeaseRecord>(
    { _id: String, holder: String, until: Date, turns: Number },
    { collection: 'leases', versionKey: false },
  ),
);
