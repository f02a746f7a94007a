import { accessBelow } from '../access/access.ts';
import { mongoDatabase, withTransaction } from './connection.ts';
import { claimOldEmailDomains } from '../organization/emailDomains.ts';
import type { JobRecord } from '../job/job.ts';
import { addToJobLogBlock, inJobLogBlocks, jobLogCollection, writtenLogLines, type JobLogLine } from '../job/jobLog.ts';
import { Member, type MemberRecord } from '../organization/organization.ts';
import { positionAtEnd, siblingModels } from '../access/positions.ts';
import { claimOldProxies } from '../site/siteHost.ts';
import { noCounts, Space, type SpaceRecord } from '../space/space.ts';
import { User, type UserRecord } from '../organization/user.ts';

/** Gives records of an earlier version of the platform the fields that they lack. Safe to run at any time and by several processes at once. */
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
    await Member.updateOne({ _id: member._id }, { $set: { teams: [], displayName, ...(email !== undefined && { email }), version: 1 } });
  }
  await moveLogs();
  await claimOldProxies();
  await claimOldEmailDomains();
}

type JobWithLog = JobRecord & { log: JobLogLine[] };

/** Logs once were a part of the job's record, which every further line had written anew. */
async function moveLogs(): Promise<void> {
  const jobs = mongoDatabase().collection<JobWithLog>('jobs');
  const moved = [{ $set: { logLines: writtenLogLines } }, { $unset: 'log' }];
  // The time is what lets MongoDB go along the index that holds such records only.
  const createdAt = { $gt: new Date(0) };
  await jobs.updateMany({ createdAt, log: { $exists: true, $size: 0 } }, moved);
  for await (const { _id } of jobs.find({ createdAt, log: { $exists: true } }, { projection: { _id: 1 } })) {
    await withTransaction(async (session) => {
      const job = await jobs.findOneAndUpdate({ _id, 'log.0': { $exists: true } }, moved, { session, projection: { log: 1, expireAt: 1 } });
      // Another process was quicker.
      if (!job) return;
      const expireAt = job.expireAt ?? new Date(Date.now() + keptWithoutEndMs);
      // A worker of this version may have gone on with the job: what it has written comes after.
      const writes = inJobLogBlocks(job.log, 0).map((block) => addToJobLogBlock(_id, { ...block, expireAt, isBefore: true }));
      await jobLogCollection().bulkWrite(writes, { session });
    });
  }
}

/** How long the lines of a job that has not ended are kept at most. */
const keptWithoutEndMs = 90 * 86_400_000;
