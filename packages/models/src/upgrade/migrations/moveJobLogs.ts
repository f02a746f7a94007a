import { mongoDatabase, withTransaction } from '../../database/connection.ts';
import type { JobRecord } from '../../job/job.ts';
import {
  addToJobLogBlock,
  inJobLogBlocks,
  jobLogCollection,
  writtenLogLines,
  type JobLogLine,
} from '../../job/jobLog.ts';
import { changeRecords, type Migration } from '../migration.ts';

type JobWithLog = JobRecord & { log: JobLogLine[] };

const isOld = { log: { $exists: true } };
const moved = [{ $set: { logLines: writtenLogLines } }, { $unset: 'log' }];

/** An earlier version rewrote the whole log for each new line. */
export const moveJobLogs: Migration = {
  name: 'moveJobLogs',
  summary: 'moves logs out of the records of jobs',
  isBreaking: false,
  ...changeRecords<JobWithLog>('jobs', isOld, async ({ _id }) =>
    withTransaction(async (session) => {
      const job = await mongoDatabase()
        .collection<JobWithLog>('jobs')
        .findOneAndUpdate({ _id, ...isOld }, moved, { session, projection: { log: 1, expireAt: 1 } });
      // Another process was faster.
      if (!job || job.log.length === 0) return;
      const expireAt = job.expireAt ?? new Date(Date.now() + keptWithoutEndMs);
      // A worker of this version may have continued the job: its lines come after.
      const writes = inJobLogBlocks(job.log, 0).map((block) =>
        addToJobLogBlock(_id, { ...block, expireAt, isBefore: true }),
      );
      await jobLogCollection().bulkWrite(writes, { session });
    }),
  ),
};

/** The longest time that log lines of an unfinished job are kept. */
const keptWithoutEndMs = 90 * 86_400_000;
