import mongoose, { Schema } from 'mongoose';
import { mongoDatabase } from '../database/connection.ts';

export type JobLogLine = { seq: number; at: Date; level: 'info' | 'warning' | 'error'; message: string; path?: string };

/**
 * Some consecutive lines of a job's log. The lines of a job are numbered from 0; block `n` holds those from `n * jobLogBlockLines` on, so that a
 * new line costs its own bytes, wherever in the log it stands.
 */
export type JobLogBlockRecord = {
  _id: string;
  job: string;
  block: number;
  lines: JobLogLine[];
  /** `seq` of the newest line: a reader who has seen it need not load the block. */
  lastSeq: number;
  /** The job's own time of expiry once the job has ended. */
  expireAt: Date;
};

export const jobLogBlockLines = 32;

const schema = new Schema<JobLogBlockRecord>(
  {
    _id: String,
    job: { type: String, required: true },
    block: { type: Number, required: true },
    lines: { type: [Schema.Types.Mixed], default: [] } as never,
    lastSeq: { type: Number, required: true },
    expireAt: { type: Date, required: true },
  },
  { collection: 'jobLogs', versionKey: false },
);
schema.index({ job: 1, block: 1, lastSeq: 1 });
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

mongoose.model('JobLogBlock', schema);

/** The driver's collection of log blocks: packages/jobs is the one place that writes it. */
export function jobLogCollection() {
  return mongoDatabase().collection<JobLogBlockRecord>('jobLogs');
}

/** `logLines` in an update pipeline, also for a record of an earlier version, which holds its lines in `log`. */
export const writtenLogLines = { $ifNull: ['$logLines', { $size: { $ifNull: ['$log', []] } }] };

/** The write that adds consecutive lines of one block; `isBefore` puts them before those that the block has. */
export function addToJobLogBlock(
  job: string,
  { block, lines, expireAt, isBefore = false }: Pick<JobLogBlockRecord, 'block' | 'lines' | 'expireAt'> & { isBefore?: boolean },
) {
  return {
    updateOne: {
      filter: { _id: `${job}:${block}` },
      update: {
        $setOnInsert: { job, block },
        $push: { lines: { $each: lines, ...(isBefore && { $position: 0 }) } },
        $max: { lastSeq: lines.at(-1)?.seq ?? 0, expireAt },
      },
      upsert: true,
    },
  };
}

/** Cuts lines where blocks end; `first` is the number of the first one. */
export function inJobLogBlocks(lines: readonly JobLogLine[], first: number): Pick<JobLogBlockRecord, 'block' | 'lines'>[] {
  const blocks: Pick<JobLogBlockRecord, 'block' | 'lines'>[] = [];
  for (let done = 0; done < lines.length;) {
    const block = Math.floor((first + done) / jobLogBlockLines);
    const end = (block + 1) * jobLogBlockLines - first;
    blocks.push({ block, lines: lines.slice(done, end) });
    done = end;
  }
  return blocks;
}
