import { z } from 'zod';
import { childUidRange, standardChildUid } from '../limitedProcess/isolation.ts';
import { numbersIn, whole } from './parsers.ts';

/** Parses `git-export=1,content-import=2`. */
const numbersByName = () =>
  z
    .string()
    .regex(
      /^([a-z-]+=[1-9]\d{0,3}(,(?=.)|$))*$/,
      'must be names with numbers from 1 to 9999, such as `git-export=1,content-import=2`',
    )
    .default('')
    .transform(numbersIn);

export const jobs = {
  BINDERY_JOB_LEASE_MS: whole(500, 600_000, 10_000).describe(
    'How long a worker holds a job without renewing its lease, in milliseconds; it renews the lease three times in that time.',
  ),
  BINDERY_SWEEP_INTERVAL_MS: whole(100, 600_000, 5_000).describe(
    'How often the sweeper looks for jobs that were lost, in milliseconds.',
  ),
  BINDERY_PURGE_INTERVAL_MS: whole(100, 86_400_000, 60_000).describe(
    'How often the maintenance worker purges deleted spaces that can no longer be restored, in milliseconds.',
  ),
  BINDERY_SHUTDOWN_GRACE_MS: whole(0, 600_000, 25_000).describe(
    'How long a stopping worker waits for its running jobs, in milliseconds.',
  ),
  BINDERY_DISPATCH_TIMEOUT_MS: whole(50, 60_000, 400).describe(
    'How long a request waits for Redis to accept a job before it leaves that to the sweeper, in milliseconds.',
  ),
  BINDERY_QUEUE_WINDOW: whole(1, 100_000, 32).describe(
    'Maximum number of jobs per queue that wait in Redis; the others wait in MongoDB and follow in turns of the organizations.',
  ),
  BINDERY_JOB_RETENTION_DAYS: whole(1, 3_650, 30).describe(
    'How long finished jobs are kept, in days; resources keep showing their outcome.',
  ),
  BINDERY_WORKER_CONCURRENCY: whole(1, 100, 4).describe(
    'Maximum number of jobs of all kinds that a worker process runs at once.',
  ),
  BINDERY_KIND_CONCURRENCY: numbersByName().describe(
    'Maximum number of jobs of a kind that a worker process runs at once, such as `git-export=1,content-import=2`; other kinds can use the whole concurrency.',
  ),
  BINDERY_SLOTS_FOR_OTHERS: whole(0, 100, 1).describe(
    'With several organizations: number of slots, over all workers of a queue, that a single organization never occupies.',
  ),
  BINDERY_KIND_PER_ORGANIZATION: numbersByName().describe(
    'Maximum number of jobs of a kind that an organization runs at once, such as `git-import=2`.',
  ),
  BINDERY_WORKER_HEALTH_PORT: whole(0, 65535, 0).describe(
    'Port where a worker answers `/healthz` (the process lives) and `/readyz` (it can take jobs: 200, else 503); 0 is none.',
  ),
  BINDERY_METRICS_PORT: whole(0, 65535, 0).describe(
    'Port where each process serves metrics for Prometheus at `/metrics` (docs/metrics.md); 0 is none. With `npm start` the first process has this port, and each further one the next.',
  ),
};

export const children = {
  BINDERY_CHILD_UID: whole(...childUidRange, standardChildUid).describe(
    'First of 8388608 unused user ids: if a worker runs as root, each child process that reads untrusted content gets one of them. 0 runs children as the user of the worker.',
  ),
};
