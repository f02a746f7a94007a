import { Redis } from 'ioredis';
import type { Config } from './config.ts';

/**
 * A connection to Redis.
 *
 * - `producer` fails at once while Redis is away, so that a request never hangs on it
 * - `worker` waits for Redis to come back, as BullMQ's blocking reads need
 */
export function connectRedis(config: Config, role: 'producer' | 'worker'): Redis {
  const redis = new Redis(config.redis.url, {
    maxRetriesPerRequest: role === 'worker' ? null : 1,
    enableOfflineQueue: role === 'worker',
    connectTimeout: 5_000,
    retryStrategy: (attempt: number) => Math.min(50 * attempt, 1_000),
    lazyConnect: false,
  });
  // Without a listener a lost connection ends the process; the state is read where it matters (readiness, dispatch).
  redis.on('error', () => {});
  return redis;
}

export type { Redis };
