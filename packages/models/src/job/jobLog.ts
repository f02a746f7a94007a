import mongoose, { Schema } from 'mongoose';
import { mongoClient, mongoDatabase, type ClientSession } from '../database/connection.ts';

export type JobLogLine = {
  seq: number;
  at: Date;
  level: 'info' | 'warning' | 'error';
  message: string;
  path?: string;
};

/**
 * Consecutive lines of a job's log. Lines are numbered from 0; block `n` starts at line `n *
 * jobLogBlockLines`, so that appending a line costs only its own bytes.
 */
export type JobLogBlockRecord = {
  _id: string;
  job: string;
  block: number;
  lines: JobLogLine[];
  /** `seq` of the newest line: a reader who has seen it need not load the block. */
  lastSeq: number;
  /** The expiry of the job, once it has ended. */
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

/** The driver's collection of log blocks. Only packages/jobs writes it. */
export function jobLogCollection() {
  return mongoDatabase().collection<JobLogBlockRecord>('jobLogs');
}

/**
 * Reads at most `limit` of a job's blocks from the block `from` on, those with lines newer than `since`,
 * oldest first.
 *
 * A command in a reused session, because a thousand listeners that read full logs through cursors had 60 MB
 * of answers in memory: the driver keeps its cursors and sessions in sets, and V8 lets the outgrown tables of
 * a set hold what was in them until the next full collection of garbage. A cursor holds its answer, and a
 * session does too, through a binary of its cluster time.
 */
export async function findJobLogBlocks(
  job: string,
  { from, since, limit }: { from: number; since: number; limit: number },
): Promise<JobLogBlockRecord[]> {
  const session = idleSession() ?? mongoClient().startSession({ causalConsistency: false });
  const read = async () =>
    mongoDatabase().command(
      {
        find: 'jobLogs',
        filter: { job, block: { $gte: from }, lastSeq: { $gt: since } },
        sort: { block: 1 },
        limit,
        batchSize: limit,
        singleBatch: true,
        readConcern: { level: 'majority' },
      },
      { session },
    );
  try {
    // The driver repeats a failed read once, but no command.
    const { cursor } = (await read().catch(read)) as { cursor: { firstBatch: JobLogBlockRecord[] } };
    return cursor.firstBatch;
  } finally {
    delete session.clusterTime;
    idleSessions.push(session);
  }
}

/** At most as many as reads at once. */
const idleSessions: ClientSession[] = [];

function idleSession(): ClientSession | undefined {
  const session = idleSessions.pop();
  // The client may have been closed, which ends its sessions.
  return session?.hasEnded ? idleSession() : session;
}

/** `logLines` in an update pipeline, also for a record of an earlier version, whose lines are in `log`. */
export const writtenLogLines = { $ifNull: ['$logLines', { $size: { $ifNull: ['$log', []] } }] };

/**
 * Builds the write that adds consecutive lines of one block; `isBefore` puts them before the existing ones.
 */
export function addToJobLogBlock(
  job: string,
  {
    block,
    lines,
    expireAt,
    isBefore = false,
  }: Pick<JobLogBlockRecord, 'block' | 'lines' | 'expireAt'> & { isBefore?: boolean },
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

/** Splits lines into blocks; `first` is the number of the first line. */
export function inJobLogBlocks(
  lines: readonly JobLogLine[],
  first: number,
): Pick<JobLogBlockRecord, 'block' | 'lines'>[] {
  const blocks: Pick<JobLogBlockRecord, 'block' | 'lines'>[] = [];
  for (let done = 0; done < lines.length;) {
    const block = Math.floor((first + done) / jobLogBlockLines);
    const end = (block + 1) * jobLogBlockLines - first;
    blocks.push({ block, lines: lines.slice(done, end) });
    done = end;
  }
  return blocks;
}
