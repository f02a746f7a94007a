import { once } from 'node:events';
import { connectRedis, type Config, type Redis } from '@bindery/runtime';
import { Queue } from 'bullmq';
import { queueNames, type QueueName } from '../definitions/defineJob.ts';

/** A process's means to dispatch jobs: one connection and the handles of all queues. */
type Client = { config: Config; redis: Redis; queues: Map<QueueName, Queue>; pausedUntilMs: number };

let client: Client | undefined;

/**
 * Opens this process's connection for dispatching jobs. Without Redis, jobs are still accepted, and
 * dispatched later.
 */
export function connectJobs(config: Config): void {
  const redis = connectRedis(config, 'producer');
  const queues = new Map(
    queueNames.map((name) => {
      const queue = new Queue(name, {
        connection: redis,
        prefix: config.redis.prefix,
        skipMetasUpdate: true,
      });
      queue.on('error', () => {});
      return [name, queue] as const;
    }),
  );
  client = { config, redis, queues, pausedUntilMs: 0 };
}

export async function closeJobs(): Promise<void> {
  const closing = client;
  client = undefined;
  if (!closing) return;
  await Promise.allSettled([...closing.queues.values()].map((queue) => withTimeout(queue.close(), 1_000)));
  closing.redis.disconnect();
}

export function jobClient(): Client {
  if (!client) throw new Error('connectJobs was not called.');
  return client;
}

export function queueOf(name: QueueName): Queue {
  const queue = jobClient().queues.get(name);
  if (!queue) throw new Error(`There is no queue ${name}.`);
  return queue;
}

/** Returns the BullMQ queues, for the dashboard. */
export function openQueues(): Queue[] {
  return [...jobClient().queues.values()];
}

/**
 * Resolves once Redis accepts commands. Throws the reason of the first failed try, and that of `signal`; the
 * connection keeps trying.
 */
export async function awaitRedis({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
  const { redis } = jobClient();
  if (redis.status !== 'ready') await once(redis, 'ready', { signal });
}

/** Resolves when Redis answers; throws when it does not within `timeoutMs`. */
export async function pingRedis(timeoutMs: number): Promise<void> {
  await withTimeout(jobClient().redis.ping(), timeoutMs);
}

/**
 * Runs a call to Redis that a request waits for. After a timeout no call is tried for a second, so that a
 * hanging Redis does not add its timeout to every request.
 *
 * @returns undefined when Redis did not answer in time, or refused the call
 */
export async function tryRedis<T>(call: () => Promise<T>): Promise<T | undefined> {
  const state = jobClient();
  if (!isRedisAnswering()) return undefined;
  try {
    return await withTimeout(call(), state.config.jobs.dispatchTimeoutMs);
  } catch (error) {
    // A refusal is an answer: other calls need no pause.
    if (!(error instanceof Error && error.name === 'ReplyError')) state.pausedUntilMs = Date.now() + 1_000;
    return undefined;
  }
}

/** Redis answers a script at once, or it is away. */
const scriptMs = 2_000;

/**
 * Runs a Lua script in Redis, for state that processes share and that may be lost.
 *
 * @param keys  without the prefix of the installation
 * @returns undefined when Redis does not answer
 */
export async function runScript(
  script: string,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  const { redis, config } = jobClient();
  if (redis.status !== 'ready') return undefined;
  const named = keys.map((key) => `${config.redis.prefix}:${key}`);
  return withTimeout(redis.eval(script, named.length, ...named, ...values), scriptMs).catch(() => undefined);
}

/** Whether Redis answered the last call of this process. */
export function isRedisAnswering(): boolean {
  const { redis, pausedUntilMs } = jobClient();
  return redis.status === 'ready' && Date.now() >= pausedUntilMs;
}

export function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
