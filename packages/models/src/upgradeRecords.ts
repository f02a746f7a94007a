import { accessBelow } from './access/access.ts';
import { mongoDatabase, withTransaction } from './database/connection.ts';
import { claimOldEmailDomains } from './organization/emailDomains.ts';
import type { JobRecord } from './job/job.ts';
import {
  addToJobLogBlock,
  inJobLogBlocks,
  jobLogCollection,
  writtenLogLines,
  type JobLogLine,
} from './job/jobLog.ts';
import { Member, type MemberRecord } from './organization/organization.ts';
import { positionAtEnd, siblingModels } from './tree/positions.ts';
import { claimOldProxies } from './organization/siteHost.ts';
import { noCounts, Space, type SpaceRecord } from './space/space.ts';
import { User, type UserRecord } from './organization/user.ts';

/**
 * Adds missing fields to records of earlier versions of the platform. Safe to run at any time and in several
 * processes at once.
 */
export async function upgradeRecords(): Promise<void> {
  for await (const space of Space.find({ siblingsOf: { $exists: false } })
    .lean<SpaceRecord>()
    .cursor()) {
    const siblingsOf = space.parent ?? space.organization;
    const fields = {
      ancestors: [],
      siblingsOf,
      position: await positionAtEnd(siblingModels, siblingsOf),
      access: accessBelow(undefined, space),
      counts: noCounts,
      lastChangeRequest: 0,
      isDeleted: space.deletedAt !== undefined,
      version: 1,
    };
    await Space.updateOne({ _id: space._id, siblingsOf: { $exists: false } }, { $set: fields });
  }
  for await (const member of Member.find({ displayName: { $exists: false } })
    .lean<MemberRecord>()
    .cursor()) {
    const user = await User.findById(member.user).lean<UserRecord>();
    const { displayName = '', email } = user ?? {};
    await Member.updateOne(
      { _id: member._id },
      { $set: { teams: [], displayName, ...(email !== undefined && { email }), version: 1 } },
    );
  }
  await moveLogs();
  await claimOldProxies();
  await claimOldEmailDomains();
}

type JobWithLog = JobRecord & { log: JobLogLine[] };

/** Moves logs out of job records, where an earlier version rewrote the whole log for each new line. */
async function moveLogs(): Promise<void> {
  const jobs = mongoDatabase().collection<JobWithLog>('jobs');
  const moved = [{ $set: { logLines: writtenLogLines } }, { $unset: 'log' }];
  // The time makes MongoDB use the partial index of such records.
  const createdAt = { $gt: new Date(0) };
  await jobs.updateMany({ createdAt, log: { $exists: true, $size: 0 } }, moved);
  for await (const { _id } of jobs.find({ createdAt, log: { $exists: true } }, { projection: { _id: 1 } })) {
    await withTransaction(async (session) => {
      const job = await jobs.findOneAndUpdate({ _id, 'log.0': { $exists: true } }, moved, {
        session,
        projection: { log: 1, expireAt: 1 },
      });
      // Another process was faster.
      if (!job) return;
      const expireAt = job.expireAt ?? new Date(Date.now() + keptWithoutEndMs);
      // A worker of this version may have continued the job: its lines come after.
      const writes = inJobLogBlocks(job.log, 0).map((block) =>
        addToJobLogBlock(_id, { ...block, expireAt, isBefore: true }),
      );
      await jobLogCollection().bulkWrite(writes, { session });
    });
  }
}

/** The longest time that log lines of an unfinished job are kept. */
const keptWithoutEndMs = 90 * 86_400_000;
