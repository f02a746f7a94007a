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
    turn: async ({ signal }) => acceptDueReviews(signal),
    logger,
    failure: 'reviews of specifications could not be started; it is tried again',
  });
}

/** Thrown when another process has accepted the job. */
class Overtaken extends Error {}

/** @returns whether there may be more */
export async function acceptDueReviews(signal: AbortSignal): Promise<boolean> {
  const due = await OpenAPISpecVersion.find({ reviewDueAt: { $lte: databaseNow() } })
    .sort({ reviewDueAt: 1 })
    .limit(versionsAtOnce)
    .lean<OpenAPISpecVersionRecord[]>();
  for (const version of due) {
    signal.throwIfAborted();
    await acceptReview(version).catch((error: unknown) => {
      if (!(error instanceof Overtaken)) throw error;
    });
  }
  return due.length === versionsAtOnce;
}

async function acceptReview({ _id, spec: id, organization }: OpenAPISpecVersionRecord): Promise<void> {
  const spec = await OpenAPISpec.findById(id).lean<OpenAPISpecRecord>();
  if (!spec) return;
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
