import { findJobOfSpec, isUnfinished, lastSpecOutcome, leadInTurns, refreshSpec } from '@bindery/jobs';
import { databaseNow, nextSpecRefresh, OpenAPISpec, type OpenAPISpecRecord } from '@bindery/models';
import { compact, type Config, type Logger } from '@bindery/runtime';

const specsAtOnce = 50;
const pauseMs = 15_000;
const leaseMs = 60_000;
/** When to look again at a specification that is being processed. */
const busyMs = 5 * 60_000;

/**
 * Fetches the URLs of specifications again when they are due. Any number of processes may call it; one of
 * them does the work.
 *
 * @returns a function that stops it
 */
export function startSpecRefresh({
  config,
  logger,
}: {
  config: Config;
  logger: Logger;
}): () => Promise<void> {
  return leadInTurns('specRefresh', {
    leaseMs,
    pauseMs,
    turn: async ({ signal }) => refreshDueSpecs({ config, logger, signal }),
    logger,
    failure: 'a look for specifications to refresh failed; the next one follows',
  });
}

/**
 * Accepts jobs for the specifications that have been due for the longest time. Safe to run at any time and in
 * several processes at once.
 *
 * @returns whether there may be more
 */
export async function refreshDueSpecs({
  config,
  logger,
  signal,
}: {
  config: Pick<Config, 'openapi'>;
  logger: Logger;
  signal: AbortSignal;
}): Promise<boolean> {
  const due = await OpenAPISpec.find({ nextRefreshAt: { $lte: databaseNow() } })
    .sort({ nextRefreshAt: 1 })
    .limit(specsAtOnce)
    .lean<OpenAPISpecRecord[]>();
  for (const spec of due) {
    signal.throwIfAborted();
    try {
      await refreshDueSpec(spec, config.openapi.refreshMinutes);
    } catch (error) {
      // A failure must not delay the other specifications, and this one comes back last.
      logger.warn(
        { err: error, spec: spec._id },
        'a specification could not be refreshed; it is tried again',
      );
      await postpone(spec, new Date(databaseNow().getTime() + busyMs));
    }
  }
  return due.length === specsAtOnce;
}

async function refreshDueSpec(spec: OpenAPISpecRecord, standardMinutes: number): Promise<void> {
  const job = await findJobOfSpec(spec);
  const now = databaseNow();
  if (isUnfinished(job)) return postpone(spec, new Date(now.getTime() + busyMs));
  const { lastProcessErrorCode, lastProcessedAt = now } = lastSpecOutcome(spec, job);
  const failing = lastProcessErrorCode
    ? { failures: (spec.failures ?? 0) + 1, failingSince: spec.failingSince ?? lastProcessedAt }
    : { failures: 0, failingSince: undefined };
  const next = nextSpecRefresh({ ...spec, ...failing }, { standardMinutes, now });
  if (!next) return postpone(spec, undefined);
  const { failingSince, failures } = failing;
  if (!failingSince && spec.failingSince)
    await OpenAPISpec.updateOne({ _id: spec._id }, { $unset: { failingSince: 1 } });
  await refreshSpec(spec, {
    startedBy: spec.createdBy,
    set: compact({ nextRefreshAt: next, failures, failingSince }),
  });
}

async function postpone({ _id, nextRefreshAt }: OpenAPISpecRecord, next: Date | undefined): Promise<void> {
  await OpenAPISpec.updateOne(
    { _id, nextRefreshAt },
    next ? { $set: { nextRefreshAt: next } } : { $unset: { nextRefreshAt: 1 } },
  );
}
