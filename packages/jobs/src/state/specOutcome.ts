import type { JobErrorCode, OpenAPISpecErrorCode } from '@bindery/contract';
import type { JobRecord, OpenAPISpecRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';

export type SpecOutcome = Pick<
  OpenAPISpecRecord,
  'lastProcessedAt' | 'lastProcessErrorCode' | 'lastProcessedErrors' | 'lastProcessedErrorCount'
>;

/**
 * The outcome of the last processing of a specification: the published one, unless the newest job failed
 * before it could publish.
 *
 * @param job  the one that the specification names, while its record or kept outcome exists
 */
export function lastSpecOutcome(
  spec: OpenAPISpecRecord,
  job: Pick<JobRecord, 'state' | 'error' | 'finishedAt'> | undefined,
): SpecOutcome {
  const { lastProcessedAt, lastProcessErrorCode, lastProcessedErrors, lastProcessedErrorCount } = spec;
  if (job?.state !== 'failed' && job?.state !== 'timed_out')
    return {
      lastProcessedErrors,
      lastProcessedAt,
      lastProcessErrorCode,
      lastProcessedErrorCount,
    };
  const { error, finishedAt = new Date() } = job;
  return {
    lastProcessedAt: finishedAt,
    lastProcessErrorCode: errorCodeOf(error?.code ?? 'internal'),
    lastProcessedErrors: error ? [{ message: error.message, code: error.code }] : [],
  };
}

/** Maps the code of a job error to one of the three codes of the API. */
function errorCodeOf(code: JobErrorCode): OpenAPISpecErrorCode {
  if (code === 'timeout' || code === 'deadline') return 'FETCH_TIMEOUT';
  return notFetching.has(code) ? 'PARSE_ERROR' : 'FETCH_ERROR';
}

/** Errors after the fetch: the job has the document and reads it. */
const notFetching: ReadonlySet<JobErrorCode> = new Set<JobErrorCode>([
  'bad_content',
  'limit',
  'memory',
  'crashed',
  'quarantined',
]);

/** The fields of a specification that store an outcome, as an update. */
export function storingOutcome({ lastProcessErrorCode, lastProcessedErrorCount, ...outcome }: SpecOutcome): {
  $set: object;
  $unset: object;
} {
  return {
    $set: {
      ...outcome,
      ...compact({ lastProcessErrorCode, lastProcessedErrorCount }),
    },
    $unset: {
      ...(!lastProcessErrorCode && { lastProcessErrorCode: 1 }),
      ...(lastProcessedErrorCount === undefined && { lastProcessedErrorCount: 1 }),
    },
  };
}
