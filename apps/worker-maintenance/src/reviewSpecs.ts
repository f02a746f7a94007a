import { acceptJob, leadInTurns, openapiJobs } from '@bindery/jobs';
import {
  databaseNow,
  OpenAPISpec,
  OpenAPISpecVersion,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
} from '@bindery/models';
import type { Logger } from '@bindery/runtime';

const versionsAtOnce = 50;
const pauseMs = 2_000;
const leaseMs = 30_000;
/** A version whose review could not be accepted is tried again after this. */
const retryMs = 60_000;

/**
 * Accepts a job for each published version that is to be reviewed. The job that publishes a version only
 * marks it, so that no version waits for a review and none is forgotten.
 *
 * @returns a function that stops it
 */
export function startSpecReviews({ logger }: { logger: Logger }): () => Promise<void> {
  return leadInTurns('specReviews', {
    leaseMs,
    pauseMs,
    turn: async ({ signal }) => acceptDueReviews({ logger, signal }),
    logger,
    failure: 'a look for versions to review failed; the next one follows',
  });
}

/** Thrown when another process has accepted the job. */
class Overtaken extends Error {}

/** @returns whether there may be more */
export async function acceptDueReviews({
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
      await acceptReview(version);
    } catch (error) {
      if (error instanceof Overtaken) continue;
      // A failure must not hold up the reviews of other versions, and this one comes back last.
      logger.warn(
        { err: error, version: version._id },
        'the review of a version could not be started; it is tried again',
      );
      await OpenAPISpecVersion.updateOne(
        { _id: version._id, reviewDueAt: version.reviewDueAt },
        { $set: { reviewDueAt: new Date(databaseNow().getTime() + retryMs) } },
      );
    }
  }
  return due.length === versionsAtOnce;
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
    also: async (session) => {
      const { modifiedCount } = await OpenAPISpecVersion.updateOne(
        { _id, reviewDueAt: { $exists: true } },
        { $unset: { reviewDueAt: 1 } },
        { session },
      );
      if (modifiedCount === 0) throw new Overtaken();
    },
  });
}
