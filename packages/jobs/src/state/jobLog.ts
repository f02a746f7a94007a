import {
  addToJobLogBlock,
  findJobLogBlocks,
  inJobLogBlocks,
  jobCollection,
  jobLogBlockLines,
  jobLogCollection,
  withTransaction,
  type ClientSession,
  type JobLogLine,
  type JobRecord,
} from '@bindery/models';
import { faultPoint } from '@bindery/runtime';
import { jobClient } from '../queue/client.ts';
import { logCounts, maxLogLines, reportFields, withoutUndefined, type Report } from '../queue/pipeline.ts';

/**
 * The log of a job is stored beside its record, in blocks of lines, so that a report costs only its own lines
 * and a job can be read without its log.
 *
 * Record and lines are written in one transaction that checks the run's epoch. A run that has lost its job
 * therefore adds nothing, and a reader of the `seq` of a write also finds its lines.
 */

/** Not journaled, for speed: a node that dies at this moment loses at most a few lines of a log. */
const writeConcern = { w: 1, j: false } as const;
/**
 * The end of the job is unknown when lines are written, so at first they are kept this many days longer than
 * an ended job.
 */
const marginDays = 30;
const dayMs = 86_400_000;

/** Writes a report with lines for a run. @returns whether the run still holds the job */
export async function writeLog(id: string, epoch: number, report: Report): Promise<boolean> {
  const expireAt = afterAnyEnd();
  const job = await withTransaction(
    async (session) => {
      const written = await jobCollection().findOneAndUpdate(
        { _id: id, epoch, state: 'running' },
        [{ $set: { seq: { $add: ['$seq', 1] }, ...reportFields(report), ...logCounts(report) } }],
        { session, returnDocument: 'after', projection: { seq: 1, logLines: 1 }, ...withoutUndefined },
      );
      if (!written) return undefined;
      await faultPoint('job.logging');
      const lines = report.log.map((line) => ({ seq: written.seq, ...line }));
      const blocks = inJobLogBlocks(lines, written.logLines - lines.length);
      await jobLogCollection().bulkWrite(
        blocks.map((block) => addToJobLogBlock(id, { ...block, expireAt })),
        { session, ...withoutUndefined },
      );
      return written;
    },
    { writeConcern },
  );
  if (!job) return false;
  const oldest = firstBlock(job);
  // Most reports stay within a block.
  if (oldest > firstBlock({ logLines: job.logLines - report.log.length })) {
    await jobLogCollection().deleteMany({ job: id, block: { $lt: oldest } }, { writeConcern });
  }
  return true;
}

/**
 * Makes the log of an ended job expire with its record. If this fails or never runs, the lines expire later.
 */
export async function expireLog(
  { _id, logLines, expireAt }: Pick<JobRecord, '_id' | 'logLines' | 'expireAt'>,
  session?: ClientSession,
): Promise<void> {
  if (!logLines || !expireAt) return;
  const update = { $set: { expireAt } };
  if (session) await jobLogCollection().updateMany({ job: _id }, update, { session });
  else
    await jobLogCollection()
      .updateMany({ job: _id }, update, { writeConcern })
      .catch(() => {});
}

/** Keeps the log of a job that runs again. */
export async function keepLog({ _id, logLines }: Pick<JobRecord, '_id' | 'logLines'>): Promise<void> {
  if (logLines) await jobLogCollection().updateMany({ job: _id }, { $set: { expireAt: afterAnyEnd() } });
}

/** Returns an expiry later than that of any job that ends within `marginDays`. */
function afterAnyEnd(): Date {
  return new Date(Date.now() + (jobClient().config.jobs.retentionDays + marginDays) * dayMs);
}

type Logged = Pick<JobRecord, '_id' | 'seq' | 'logLines' | 'logSeq'>;

/**
 * Reads a job's log up to the time when the job was read: at most the newest thousand lines, oldest first.
 */
export async function readLog(job: Logged): Promise<JobLogLine[]> {
  return (await readLogPart(job, { maxBlocks: maxLogLines })).lines;
}

/**
 * Reads one part of a job's log lines after `since`, an earlier `seq` of the job.
 *
 * @param from  the first block of the part: `next` of the previous part
 * @returns `next` when more parts follow
 */
export async function readLogPart(
  job: Logged,
  { since = 0, from = 0, maxBlocks }: { since?: number; from?: number; maxBlocks: number },
): Promise<{ lines: JobLogLine[]; next?: number }> {
  // The job has no lines, or those of an earlier version are still in its record.
  if (!job.logLines) return { lines: [] };
  if (job.logSeq !== undefined && job.logSeq <= since) return { lines: [] };
  const oldest = firstBlock(job);
  const blocks = await findJobLogBlocks(job._id, { from: Math.max(from, oldest), since, limit: maxBlocks });
  const lines = blocks.flatMap(({ block, lines: its }) =>
    block === oldest ? its.slice(firstLine(job) % jobLogBlockLines) : its,
  );
  // Lines written after the job was read belong to a later read.
  const shown = lines.filter(({ seq }) => seq > since && seq <= job.seq);
  const next = (blocks.at(-1)?.block ?? Infinity) + 1;
  const hasMore = shown.at(-1) === lines.at(-1) && next * jobLogBlockLines < job.logLines;
  return { lines: shown, next: hasMore ? next : undefined };
}

function firstLine({ logLines }: Pick<JobRecord, 'logLines'>): number {
  return Math.max(0, logLines - maxLogLines);
}

function firstBlock(job: Pick<JobRecord, 'logLines'>): number {
  return Math.floor(firstLine(job) / jobLogBlockLines);
}
