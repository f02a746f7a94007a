import { redisCommands } from '@bindery/metrics';
import { Redis, type Command, type RedisOptions } from 'ioredis';
import type { Config } from './config.ts';

/**
 * Connects to Redis.
 *
 * - `producer` fails immediately while Redis is away, so that a request never hangs on it
 * - `worker` waits for Redis to come back, as BullMQ's blocking reads need
 */
export function connectRedis(config: Config, role: 'producer' | 'worker'): Redis {
  const options: RedisOptions = {
    maxRetriesPerRequest: role === 'worker' ? null : 1,
    enableOfflineQueue: role === 'worker',
    connectTimeout: 5_000,
    retryStrategy: (attempt: number) => Math.min(50 * attempt, 1_000),
    lazyConnect: false,
  };
  const socket = socketOf(config.redis.url);
  const redis = socket ? new Redis({ ...options, ...socket }) : new Redis(config.redis.url, options);
  // Without a listener a lost connection would crash the process; the state is checked where it matters
  // (readiness, dispatch).
  redis.on('error', () => {});
  if (config.metrics.port > 0) measure(redis);
  return redis;
}

/** Commands that wait for something to happen. */
const waiting = /^(b[lrz].*|xread.*|wait.*)$/i;

function measure(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command: Command, stream) => {
    const sent = send(command, stream);
    if (!waiting.test(command.name)) {
      const startedAtMs = performance.now();
      const end = (outcome: 'ok' | 'failed') =>
        redisCommands.observe({ outcome }, (performance.now() - startedAtMs) / 1_000);
      command.promise.then(
        () => end('ok'),
        () => end('failed'),
      );
    }
    return sent;
  };
}

/**
 * Parses a `unix:` URL. ioredis does not know the scheme: it takes it for a host, and does not decode the
 * path.
 */
function socketOf(url: string): Pick<RedisOptions, 'path' | 'db'> | undefined {
  const { protocol, pathname, searchParams } = new URL(url);
  if (protocol !== 'unix:') return undefined;
  return { path: decodeURIComponent(pathname), db: Number(searchParams.get('db') ?? 0) };
}

export type { Redis };
