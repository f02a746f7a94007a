import { readLog } from '@bindery/jobs';
import {
  addToJobLogBlock,
  inJobLogBlocks,
  jobCollection,
  jobLogCollection,
  type JobLogLine,
  type JobRecord,
} from '@bindery/models';

/** A job's record with its log lines. */
export type LoggedJob = JobRecord & { log: JobLogLine[] };

/** @throws when the job does not exist */
export async function findLoggedJob(id: string): Promise<LoggedJob> {
  const job = await jobCollection().findOne({ _id: id });
  if (!job) throw new Error(`There is no job ${id}.`);
  return { ...job, log: await readLog(job) };
}

/** A change of a job as a worker writes it. */
export async function changeJob({ _id }: Pick<JobRecord, '_id'>, fields: Partial<JobRecord>): Promise<void> {
  await jobCollection().updateOne({ _id }, { $set: fields, $inc: { seq: 1 } });
}

/** Adds lines to the log of a job like a run, but keeps their `seq`. */
export async function addLog({ _id }: Pick<JobRecord, '_id'>, lines: readonly JobLogLine[]): Promise<void> {
  const job = await jobCollection().findOneAndUpdate(
    { _id },
    { $inc: { logLines: lines.length }, $max: { logSeq: lines.at(-1)?.seq ?? 0 } },
    { projection: { logLines: 1 } },
  );
  const expireAt = new Date(Date.now() + 86_400_000);
  const blocks = inJobLogBlocks(lines, job?.logLines ?? 0);
  await jobLogCollection().bulkWrite(blocks.map((block) => addToJobLogBlock(_id, { ...block, expireAt })));
}
