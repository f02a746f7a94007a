import { acceptJob, isUnfinished, leadInTurns, openapiJobs } from '@bindery/jobs';
import {
  databaseNow,
  endSpecReview,
  jobCollection,
  OpenAPISpec,
  OpenAPISpecVersion,
  withTransaction,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
} from '@bindery/models';
import { faultPoint, type Logger } from '@bindery/runtime';

const versionsAtOnce = 50;
const pauseMs = 2_000;
const leaseMs = 30_000;
/** A version whose review could not be accepted, or has not ended, is looked at again after this. */
const retryMs = 60_000;

/**
 * Accepts a job for each published version that is to be reviewed, and ends the reviews whose jobs failed.
 * The job that publishes a version only marks it, so that no version waits for a review and none is
 * forgotten.
 *
 * @returns a function that stops it
 */
export function startSpecReviews({ logger }: { logger: Logger }): () => Promise<void> {
  return leadInTurns('specReviews', {
    leaseMs,
    pauseMs,
    turn: async ({ signal }) => followDueReviews({ logger, signal }),
    logger,
    failure: 'a look for versions to review failed; the next one follows',
  });
}

/** Thrown when another process has accepted the job. */
class Overtaken extends Error {}

/** @returns whether there may be more */
export async function followDueReviews({
  logger,
  signal,
}: {
  logger: Logger;
  signal: AbortSignal;
}): Promise<boolean> {
  const due = await OpenAPISpecVersion.find({ reviewDueAt: { $lte: databaseNow() } })
    .sort({ reviewDueAt: 1 })
    .limit(versionsAtOnce)
    .lean<OpenAPISpecVersionRecord[]>();
  for (const version of due) {
    signal.throwIfAborted();
    try {
      await (version.reviewJob === undefined ? acceptReview(version) : followReview(version));
    } catch (error) {
      if (error instanceof Overtaken) continue;
      // A failure must not hold up the reviews of other versions, and this one comes back last.
      logger.warn(
        { err: error, version: version._id },
        'the review of a version could not be started or ended; it is tried again',
      );
      await putOff(version);
    }
  }
  return due.length === versionsAtOnce;
}

async function putOff({ _id, reviewDueAt }: OpenAPISpecVersionRecord): Promise<void> {
  await OpenAPISpecVersion.updateOne({ _id, reviewDueAt }, { $set: { reviewDueAt: later() } });
}

function later(): Date {
  return new Date(databaseNow().getTime() + retryMs);
}

async function acceptReview({ _id, spec: id, organization }: OpenAPISpecVersionRecord): Promise<void> {
  const spec = await OpenAPISpec.findById(id).lean<OpenAPISpecRecord>();
  if (!spec) {
    // Its specification is being deleted.
    await OpenAPISpecVersion.updateOne({ _id }, { $unset: { reviewDueAt: 1 } });
    return;
  }
  await acceptJob(openapiJobs.reviewVersion, {
    organization,
    subject: { type: 'openapi-spec', id },
    startedBy: spec.createdBy,
    permission: 'openapi.edit',
    input: { versionId: _id },
    also: async (session, reviewJob) => {
      const { modifiedCount } = await OpenAPISpecVersion.updateOne(
        { _id, reviewDueAt: { $exists: true }, reviewJob: { $exists: false } },
        { $set: { reviewJob, reviewDueAt: later() } },
        { session },
      );
      if (modifiedCount === 0) throw new Overtaken();
    },
  });
}

/** A job that succeeds ends the review itself; one that failed, or that is gone, cannot. */
async function followReview(version: OpenAPISpecVersionRecord): Promise<void> {
  const job = await jobCollection().findOne({ _id: version.reviewJob }, { projection: { state: 1 } });
  if (job && isUnfinished(job)) return putOff(version);
  await withTransaction(async (session) => {
    await endSpecReview({ versionId: version._id }, session);
    await faultPoint('review.failing');
  });
}
