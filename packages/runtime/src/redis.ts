import { Redis, type RedisOptions } from 'ioredis';
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
  return redis;
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
