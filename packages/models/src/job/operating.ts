import type { JobState } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';

/** Jobs that an operator runs again together: chosen when it is proposed, run when it is started. */
export type JobReplayRecord = {
  _id: string;
  /** The filter that found the jobs, for the reader. */
  filter: { organization?: string; kind?: string; states: JobState[]; subject?: string; error?: string };
  /**
   * Oldest first. A job whose `dispatch` has changed has run again meanwhile, so that no job is replayed
   * twice.
   */
  jobs: { id: string; dispatch: number }[];
  /** Whether the filter matched older jobs too, beyond the most that a replay takes. */
  hasMore: boolean;
  state: 'proposed' | 'running' | 'finished';
  /** The number of jobs done; of these, `skipped` could not run again. */
  done: number;
  skipped: number;
  /** The operator: the id of a user, or `cli:<user of the machine>`. */
  createdBy: string;
  createdAt: Date;
  startedAt?: Date;
  finishedAt?: Date;
  expireAt: Date;
};

const replaySchema = new Schema<JobReplayRecord>(
  {
    _id: String,
    filter: { type: Schema.Types.Mixed, required: true } as never,
    jobs: {
      type: [new Schema({ id: String, dispatch: Number }, { _id: false, id: false })],
      default: [],
    } as never,
    hasMore: { type: Boolean, required: true },
    state: { type: String, required: true } as never,
    done: { type: Number, default: 0 },
    skipped: { type: Number, default: 0 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    startedAt: Date,
    finishedAt: Date,
    expireAt: { type: Date, required: true },
  },
  { collection: 'jobReplays', versionKey: false },
);
replaySchema.index({ state: 1, startedAt: 1 });
replaySchema.index({ createdAt: -1 });
replaySchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const JobReplay = mongoose.model('JobReplay', replaySchema);

/** An action of an operator. Written before it happens, so that none is missing; `outcome` follows. */
export type OperatorActionRecord = {
  _id: string;
  at: Date;
  /** The operator: the id of a user, or `cli:<user of the machine>`. */
  operator: string;
  action:
    | 'cancel'
    | 'retry'
    | 'pause'
    | 'resume'
    | 'replay'
    | 'set limit'
    | 'clear limit'
    | 'restore space'
    | 'end sessions';
  /** The id of the job, of the replay, of the space or of the user, the kind, or a limit in words. */
  target: string;
  /** `done`, or why it was refused; absent when the process died during the action. */
  outcome?: string;
  expireAt: Date;
};

const actionSchema = new Schema<OperatorActionRecord>(
  {
    _id: String,
    at: { type: Date, required: true },
    operator: { type: String, required: true },
    action: { type: String, required: true } as never,
    target: { type: String, required: true },
    outcome: String,
    expireAt: { type: Date, required: true },
  },
  { collection: 'operatorActions', versionKey: false },
);
actionSchema.index({ at: -1 });
actionSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const OperatorAction = mongoose.model('OperatorAction', actionSchema);
