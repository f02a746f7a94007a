import type { JobDefinition } from '@bindery/jobs';
import type { Config } from '@bindery/runtime';

/** The job types of a worker as `startWorker` needs them, by the names of their processors. */
export type WorkerJobs = Record<string, Pick<JobDefinition, 'kind' | 'queue' | 'version'>>;

/**
 * A kind of worker, in a file of its own (`apps/<name>/src/worker.ts`): main.ts runs it, and a test compares
 * docker-compose.yml with it.
 */
export type WorkerDescription<Jobs extends WorkerJobs = WorkerJobs> = {
  /** Name of the folder below apps/, such as `worker-git`. */
  app: string;
  jobs: Jobs;
  /** How many jobs it runs at once, if BINDERY_WORKER_CONCURRENCY does not say so, and what does. */
  concurrency?: { variable: string; of: (config: Config) => number };
  /** Whether it upgrades the database at its start; the others wait for that where they must. */
  upgradesDatabase?: true;
  /** Memory of its threads, such as those that parse documents (`parsingMemoryMb`), in megabytes. */
  threadsMb?: number;
  /** The needs of one job beside the worker's own memory. Absent for jobs without any. */
  eachJob?: (config: Config) => JobNeeds;
};

export type JobNeeds = {
  /** Heap of the job's child process, in megabytes; absent without one. */
  childHeapMb?: number;
  /** Memory and tasks of the program that it uses, such as a browser; absent without one. */
  program?: { memoryMb: number; tasks: number };
  /** The most that it stores in the temporary folder, in megabytes. */
  temporaryMb?: number;
};

/** The needs of a worker process that runs the most jobs at once. */
export type ContainerNeeds = {
  jobsAtOnce: number;
  /** The variable that says how many. */
  concurrencyVariable: string;
  /** Memory of the worker and its children, without the temporary folder, in megabytes. */
  memoryMb: number;
  /** Space in the temporary folder, in megabytes; if that folder is in memory, it is added to `memoryMb`. */
  temporaryMb: number;
  /** Processes and threads. */
  pids: number;
};

/**
 * Heap of our processes, set by `--max-old-space-size` in docker-compose.yml, and their memory outside of it.
 */
export const processHeapMb = 512;
export const processMemoryMb = processHeapMb + 256;

/**
 * Memory of a child beside its heap. Its address space is limited, and Node reserves some without using it: a
 * child with a heap of 512 MB that fills all it can with buffers reached 998 MB before it ended.
 */
const besideHeapMb = 500;

/** Node starts 7 to 11 threads; `prlimit` and the container's health check run for a short time. */
const threadsPerProcess = 16;

const usualConcurrency: NonNullable<WorkerDescription['concurrency']> = {
  variable: 'BINDERY_WORKER_CONCURRENCY',
  of: ({ jobs }) => jobs.concurrency,
};

export function containerNeeds(
  { eachJob, threadsMb = 0, concurrency = usualConcurrency }: WorkerDescription,
  config: Config,
): ContainerNeeds {
  const jobsAtOnce = concurrency.of(config);
  const { childHeapMb, program, temporaryMb = 0 } = eachJob?.(config) ?? {};
  return {
    jobsAtOnce,
    concurrencyVariable: concurrency.variable,
    memoryMb:
      processMemoryMb +
      threadsMb +
      (childHeapMb === undefined ? 0 : jobsAtOnce * (childHeapMb + besideHeapMb)) +
      (program ? jobsAtOnce * program.memoryMb : 0),
    temporaryMb: jobsAtOnce * temporaryMb,
    // Includes the health check, and the idle child that waits for the next job.
    pids:
      threadsPerProcess * (3 + (childHeapMb === undefined ? 0 : jobsAtOnce)) +
      (program ? jobsAtOnce * program.tasks : 0),
  };
}
