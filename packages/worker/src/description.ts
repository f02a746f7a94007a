import type { JobDefinition } from '@bindery/jobs';
import type { Config } from '@bindery/runtime';

/** What `startWorker` has to know of the job types of a worker, by the names of their processors. */
export type WorkerJobs = Record<string, Pick<JobDefinition, 'kind' | 'queue' | 'version'>>;

/**
 * A kind of worker, in a file of its own (`apps/<name>/src/worker.ts`): main.ts runs it, and docker-compose.yml is tested against it.
 */
export type WorkerDescription<Jobs extends WorkerJobs = WorkerJobs> = {
  /** Name of the folder below apps/, such as `worker-git`. */
  app: string;
  jobs: Jobs;
  /** Memory of the threads in its process, in megabytes, such as those that parse documents (`parsingMemoryMb`). */
  threadsMb?: number;
  /** What one job takes beside the worker's own memory. Absent for jobs that need nothing of their own. */
  eachJob?: (config: Config) => JobNeeds;
};

export type JobNeeds = {
  /** Heap of the process that the job starts, in megabytes; absent where it starts none. */
  childHeapMb?: number;
  /** What it keeps in the temporary folder at most, in megabytes. */
  temporaryMb?: number;
};

/** What a process of this worker needs while all the jobs that it may run at once do run. */
export type ContainerNeeds = {
  jobsAtOnce: number;
  /** Memory of the worker and its children, without the temporary folder, in megabytes. */
  memoryMb: number;
  /** Room in the temporary folder, in megabytes; where that folder is in memory, it comes on top. */
  temporaryMb: number;
  /** Processes and threads. */
  pids: number;
};

/** Heap of a process of ours, set by `--max-old-space-size` in docker-compose.yml, and what lies outside of it. */
export const processHeapMb = 512;
export const processMemoryMb = processHeapMb + 256;

/**
 * Memory of a child beside its heap. Its address space is limited, and Node reserves some without using it: a child with a heap of 512 MB that
 * fills all it can with buffers was measured at 998 MB before it ended.
 */
const besideHeapMb = 500;

/** Node starts 7 to 11 threads; `prlimit` and the health check of the container come and go. */
const threadsPerProcess = 16;

export function containerNeeds({ eachJob, threadsMb = 0 }: WorkerDescription, config: Config): ContainerNeeds {
  const jobsAtOnce = config.jobs.concurrency;
  const { childHeapMb, temporaryMb = 0 } = eachJob?.(config) ?? {};
  return {
    jobsAtOnce,
    memoryMb: processMemoryMb + threadsMb + (childHeapMb === undefined ? 0 : jobsAtOnce * (childHeapMb + besideHeapMb)),
    temporaryMb: jobsAtOnce * temporaryMb,
    // The health check is a process, and so is the child that waits for the next job.
    pids: threadsPerProcess * (3 + (childHeapMb === undefined ? 0 : jobsAtOnce)),
  };
}
