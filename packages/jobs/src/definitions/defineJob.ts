import { JobError } from '@bindery/contract';
import type { Config } from '@bindery/runtime';
import type { z } from 'zod';

/** The queues. Each worker app serves one of them, so that its jobs of all kinds share its slots. */
export const queueNames = ['git', 'pdf', 'openapi', 'translation', 'maintenance'] as const;
export type QueueName = (typeof queueNames)[number];

/** Queues of earlier versions of the platform, and the queues that replace them. */
export const retiredQueues: Record<string, QueueName> = { 'git-import': 'git', 'git-export': 'git' };

/**
 * How transient failures are retried: `attempts` in all, each delay random below `baseMs * 2^n` (full jitter)
 * and at most `capMs`. Crashes and failures from lack of memory have rules of their own (retry.ts).
 */
export type RetryPolicy = { attempts: number; baseMs: number; capMs: number };

export const retries = {
  /**
   * For work that talks to other hosts: bridges an outage of about 15 seconds, or of 5 minutes when the host
   * asks for it.
   */
  network: { attempts: 5, baseMs: 1_000, capMs: 300_000 },
  /** For work on our own stores. */
  local: { attempts: 3, baseMs: 500, capMs: 30_000 },
} as const satisfies Record<string, RetryPolicy>;

/**
 * A kind of job: its input, its result and its retries. The processor is in the worker that serves the queue.
 */
export type JobDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Result extends z.ZodObject = z.ZodObject,
> = {
  /** Public name, such as `git-import`. */
  kind: string;
  queue: QueueName;
  /** Raise it when the input changes shape, and add an upgrade from the version before. */
  version: number;
  /** Ids and small options: never a token, a URL with a login, or content. */
  input: Input;
  result: Result;
  retry: RetryPolicy;
  /**
   * The longest time from acceptance to the first start; a job that waits longer ends, because nobody expects
   * its result any more.
   */
  maxWaitMs: number;
  /** From the first start to the end, over all attempts. */
  deadlineMs: number;
  /** Jobs with the same lane never run together. */
  lane?: (input: z.output<Input>) => string;
  /**
   * Whether the job is a git sync of its space, whose start and end are published as events (syncEvents.ts).
   */
  isGitSync?: (input: z.output<Input>) => boolean;
  /**
   * Upgrades input of version n to version n + 1, so that jobs accepted before an update of the platform
   * still run.
   */
  upgrades?: Record<number, (input: Record<string, unknown>) => Record<string, unknown>>;
};

/** The job types known to this process. */
const definitions: Pick<JobDefinition, 'kind' | 'queue'>[] = [];

export function defineJob<Input extends z.ZodObject, Result extends z.ZodObject>(
  definition: JobDefinition<Input, Result>,
): JobDefinition<Input, Result> {
  definitions.push(definition);
  return definition;
}

/** The kinds of jobs known to this process. */
export function definedKinds(): string[] {
  return definitions.map(({ kind }) => kind);
}

/**
 * Checks the kinds of jobs when a process starts.
 *
 * @throws Error when a queue has two definitions of one kind, because a worker would run one of them for
 *   both; and when the configuration limits an unknown kind, because the limit would never apply
 */
export function checkKinds(
  { jobs }: Pick<Config, 'jobs'>,
  known: readonly Pick<JobDefinition, 'kind' | 'queue'>[] = definitions,
): void {
  const kinds = new Set(known.map(({ kind }) => kind));
  for (const ofQueue of Map.groupBy(known, ({ queue }) => queue).values()) {
    const twice = ofQueue.find(
      ({ kind }, index) => ofQueue.findIndex((other) => other.kind === kind) < index,
    );
    if (twice)
      throw new Error(
        `The queue ${twice.queue} has two jobs of the kind \`${twice.kind}\`; give one of them another kind.`,
      );
  }
  const lists = {
    BINDERY_KIND_CONCURRENCY: jobs.concurrencyOfKind,
    BINDERY_KIND_PER_ORGANIZATION: jobs.perOrganization,
  };
  for (const [variable, list] of Object.entries(lists)) {
    const unknown = Object.keys(list).find((kind) => !kinds.has(kind));
    if (unknown !== undefined)
      throw new Error(
        `The configuration is not valid:\n  ${variable}: there is no kind \`${unknown}\`; the kinds are ${[...kinds].sort().join(', ')}`,
      );
  }
}

/**
 * Upgrades stored input to the present version and validates it.
 *
 * @throws JobError unsupported_version when this platform cannot read it any more
 */
export function readInput<Input extends z.ZodObject>(
  definition: JobDefinition<Input>,
  version: number,
  stored: Record<string, unknown>,
): z.output<Input> {
  let input = stored;
  for (let from = version; from < definition.version; from += 1) {
    const upgrade = definition.upgrades?.[from];
    if (!upgrade) throw unsupported(definition, version);
    input = upgrade(input);
  }
  const parsed = definition.input.safeParse(input);
  if (!parsed.success) throw unsupported(definition, version, parsed.error);
  return parsed.data;
}

function unsupported({ kind, version: known }: JobDefinition, version: number, cause?: unknown): JobError {
  const message = `The input of this ${kind} job has version ${version}, which version ${known} of the worker cannot read.`;
  return new JobError('unsupported_version', message, {
    action: 'Start the operation again instead of retrying this job.',
    cause,
  });
}
