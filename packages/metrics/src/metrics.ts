import { counter, gauge, histogram, level } from './metric.ts';

// All metrics of the platform. docs/metrics.md lists them; a test compares both.

const callSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];
const jobSeconds = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200];

export const httpRequests = histogram({
  name: 'bindery_http_request_duration_seconds',
  help: 'Time from a request to the end of its response. `route` is the path as the OpenAPI document has it.',
  labels: ['method', 'route', 'status'],
  buckets: [0.01, 0.05, 0.25, 1, 5, 30],
});

export const jobWaits = histogram({
  name: 'bindery_job_wait_seconds',
  help: 'Time from the acceptance of a job to its first start.',
  labels: ['kind'],
  buckets: jobSeconds,
});

export const jobRuns = histogram({
  name: 'bindery_job_run_seconds',
  help: 'Time of a run of a job. A job that is retried has several runs. `outcome` is that of the attempt; `lost` is a run that lost its lease.',
  labels: ['kind', 'outcome'],
  buckets: jobSeconds,
});

export const jobFailures = counter({
  name: 'bindery_job_failures_total',
  help: 'Runs that failed, with the class and the code of the error. `retried` says whether the job runs again.',
  labels: ['kind', 'class', 'code', 'retried'],
});

export const sweeperRepairs = counter({
  name: 'bindery_sweeper_repairs_total',
  help: 'Repairs of the sweeper: `requeued_run` and `ended_run` of a lost worker, `redispatched` jobs that Redis had lost, `timed_out` jobs that were not started in time.',
  labels: ['repair'],
});

export const storageRemovals = counter({
  name: 'bindery_storage_removed_total',
  help: 'Unreferenced content that the collection removed, by collection of MongoDB.',
  labels: ['collection'],
});

export const mongoCommands = histogram({
  name: 'bindery_mongodb_command_duration_seconds',
  help: 'Round trips to MongoDB, by command. `failed` counts errors of MongoDB and of the network.',
  labels: ['command', 'outcome'],
  buckets: callSeconds,
});

export const redisCommands = histogram({
  name: 'bindery_redis_command_duration_seconds',
  help: 'Round trips to Redis, without commands that wait for a job.',
  labels: ['outcome'],
  buckets: callSeconds,
});

export const redisRefusals = counter({
  name: 'bindery_redis_refusals_total',
  help: 'Writes that Redis refused. `reason` is `memory` (it has reached its `maxmemory`), `disk` (it cannot write its snapshot or file) or `read_only` (it is a replica).',
  labels: ['reason'],
});

export const outboundRequests = counter({
  name: 'bindery_outbound_requests_total',
  help: 'Requests to addresses outside, without those of child processes. `outcome` is `ok` or the code of the error, such as `refused_address`.',
  labels: ['outcome'],
});

export const engineCalls = histogram({
  name: 'bindery_engine_call_duration_seconds',
  help: 'Calls of translation engines. `outcome` is `ok` or the code of the error.',
  labels: ['engine', 'outcome'],
  buckets: [0.05, 0.25, 1, 5, 15, 60],
});

export const pagesRendered = counter({
  name: 'bindery_site_pages_rendered_total',
  help: 'Pages of sites that a thread rendered because no kept answer was right. `outcome` is `ok`, or `failed`, also for a page that is too large or takes too long.',
  labels: ['outcome'],
});

// Child processes that read what strangers sent, each for one work: a repository, a wiki, a specification.

export const childStarts = counter({
  name: 'bindery_child_starts_total',
  help: 'Child processes that were started, with those that wait for work in advance.',
  labels: ['kind'],
});

export const childEnds = counter({
  name: 'bindery_child_ends_total',
  help: 'Child processes that ended, by `outcome`: `ok`, `failed` (answered with an error, such as bad content), `stopped` (cancelled, shut down, or its run was lost), `time_limit`, `memory_limit` (also: killed by the system) or `crashed`.',
  labels: ['kind', 'outcome'],
});

export const childrenAlive = level({
  name: 'bindery_children',
  help: 'Child processes of this process that are alive, with those that wait for work.',
  labels: ['kind'],
});

export const childRuns = histogram({
  name: 'bindery_child_run_seconds',
  help: 'Time from the request to a child process to the end of that process.',
  labels: ['kind'],
  buckets: jobSeconds,
});

export const childMemory = histogram({
  name: 'bindery_child_peak_memory_bytes',
  help: 'The most resident memory of a child process, of those that lived until they had answered. Linux only.',
  labels: ['kind'],
  buckets: [64, 128, 256, 512, 1_024, 2_048, 4_096].map((megabytes) => megabytes * 2 ** 20),
});

// Of the whole installation: each maintenance worker shows them, so queries take the maximum.

export const unfinishedJobs = gauge({
  name: 'bindery_jobs_unfinished',
  help: 'Jobs that have not ended. `state` is `accepted` (waits for a slot, a lane or a retry), `queued` or `running`.',
  labels: ['queue', 'kind', 'state'],
});

export const oldestWaits = gauge({
  name: 'bindery_jobs_oldest_wait_seconds',
  help: 'Age of the oldest job that waits, without those that wait for a lane, for a retry, or for a paused kind.',
  labels: ['queue', 'kind'],
});

export const pausedKinds = gauge({
  name: 'bindery_jobs_kind_paused',
  help: '1 for each kind of job that an operator has paused.',
  labels: ['kind'],
});

export const jobLimits = gauge({
  name: 'bindery_jobs_limit',
  help: 'Jobs of a kind that run at once at most, as operators have set it: in each `process`, of each `organization`, or of single ones (`one_organization`, the lowest of their limits).',
  labels: ['kind', 'scope'],
});

export const heldByLimits = gauge({
  name: 'bindery_jobs_held_by_limit',
  help: 'Waiting jobs that a reached limit keeps back, of the kinds with a limit of operators.',
  labels: ['kind'],
});

export const workers = gauge({
  name: 'bindery_workers',
  help: 'Live worker processes.',
  labels: ['app'],
});

export const workerSlots = gauge({
  name: 'bindery_worker_slots',
  help: 'Jobs that the live workers can run at once. `state` is `busy` or `free`.',
  labels: ['app', 'state'],
});
