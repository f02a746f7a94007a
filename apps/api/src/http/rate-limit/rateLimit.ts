import { ApiError } from '@bindery/contract';
import { connectRedis, networkOf, type Config } from '@bindery/runtime';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Route } from '../scope.ts';
import type { Services } from '../services.ts';

const windowSeconds = 60;
/** How long a request waits for Redis. After a failure, Redis is skipped for `pauseMs`. */
const timeoutMs = 200;
const pauseMs = 1_000;

type Admit = NonNullable<Services['admit']>;
type Call = Parameters<Admit>[0];

export type RateLimit = { admit: Admit; close(): void };

/**
 * Limits the requests of each caller: every request costs points (`costOf`), and a caller has a fixed number
 * of points per minute. The minute starts with the caller's first request.
 *
 * All API processes share the counters in Redis. While Redis is down or slow, each process counts for itself:
 * a limit that is briefly too high is better than an API that is down.
 * @returns undefined when limits are off
 */
export function createRateLimit(config: Config): RateLimit | undefined {
  const points = config.api.rateLimitPoints;
  if (points === 0) return undefined;
  const redis = connectRedis(config, 'producer');
  const limits = { points, duration: windowSeconds };
  const shared = new RateLimiterRedis({
    ...limits,
    storeClient: redis,
    keyPrefix: `${config.redis.prefix}:rate`,
  });
  const own = new RateLimiterMemory(limits);
  let pausedUntilMs = 0;

  const take = async (key: string, cost: number): Promise<RateLimiterRes | null> => {
    if (redis.status === 'ready' && Date.now() >= pausedUntilMs) {
      try {
        return await withTimeout(takeFrom(shared, key, cost));
      } catch {
        pausedUntilMs = Date.now() + pauseMs;
      }
    }
    return takeFrom(own, key, cost);
  };

  return {
    admit: async (call) => {
      const taken = await take(keyOf(call), costOf(call.route));
      const waitMs = taken?.msBeforeNext ?? 0;
      call.setHeader('X-RateLimit-Limit', String(points));
      call.setHeader('X-RateLimit-Remaining', String(Math.max(0, points - (taken?.consumedPoints ?? 0))));
      call.setHeader('X-RateLimit-Reset', String(Math.ceil((Date.now() + waitMs) / 1000)));
      if (costOf(call.route) > 0 && taken && taken.consumedPoints > points) throw tooMany(points, waitMs);
    },
    close: () => redis.disconnect(),
  };
}

/**
 * The cost of an operation in points. Reading jobs is free, because clients poll them while they wait. Asking
 * another server costs as much as a job that does.
 */
export function costOf({ method, path, spec }: Pick<Route, 'method' | 'path' | 'spec'>): number {
  if (spec.startsJob || path.endsWith('/git/remote')) return 20;
  if (path.endsWith('/search')) return 5;
  // A host sends the events of all its repositories from one address, and few hosts send an event again.
  if (spec.operationId === 'receiveGitHookEvent') return 1;
  if (method !== 'get') return 5;
  return path.startsWith('/jobs/') || path.endsWith('/jobs') ? 0 : 1;
}

/**
 * The key that points are counted under: the token; the site and network of a visitor; or the network of an
 * anonymous caller.
 */
function keyOf({ actor, visitor, address }: Pick<Call, 'actor' | 'visitor' | 'address'>): string {
  if (actor) return `token:${actor.tokenId}`;
  return visitor ? `visitor:${visitor.site}:${networkOf(address)}` : `address:${networkOf(address)}`;
}

/** Takes points, even beyond the limit. A cost of 0 only reads the state. */
async function takeFrom(
  limiter: RateLimiterRedis | RateLimiterMemory,
  key: string,
  cost: number,
): Promise<RateLimiterRes | null> {
  if (cost === 0) return limiter.get(key);
  try {
    return await limiter.consume(key, cost);
  } catch (error) {
    if (error instanceof RateLimiterRes) return error;
    throw error;
  }
}

function tooMany(points: number, waitMs: number): ApiError {
  return new ApiError('rate_limited', `Rate limit of ${points} points per minute exceeded.`, {
    action:
      'Wait for the time in `Retry-After`. A read costs 1 point, a write or a search 5, starting a job or asking a git server 20, reading jobs none.',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Redis did not answer in time.')), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
