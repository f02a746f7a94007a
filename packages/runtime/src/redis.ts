import { redisCommands, redisRefusals } from '@bindery/metrics';
import { Redis, type Command, type RedisOptions } from 'ioredis';
import type { Config } from './config.ts';
import { parseSentinelUrl } from './config/sentinelUrl.ts';
import { FailoverConnector } from './failoverConnector.ts';

/**
 * How long a server may leave a command unanswered. Nothing closes the connections to a machine that has lost
 * its power or its network: the system would repeat what was sent for a quarter of an hour.
 */
const silentMs = 5_000;
/** The same where BullMQ waits for jobs, for 10 s at most. */
const silentWaitMs = 12_000;

/**
 * Connects to Redis: to one server, or to the primary that its sentinels name, also after a failover.
 *
 * - `producer` fails immediately while Redis is away, so that a request never hangs on it
 * - `worker` waits for Redis to come back, as BullMQ's blocking reads need
 */
export function connectRedis(config: Config, role: 'producer' | 'worker'): Redis {
  const options: RedisOptions = {
    maxRetriesPerRequest: role === 'worker' ? null : 1,
    enableOfflineQueue: role === 'worker',
    connectTimeout: silentMs,
    socketTimeout: silentMs,
    // A subscription sends nothing: only the system can find out that its server is gone, 10 s after this.
    keepAlive: silentMs,
    retryStrategy,
    // The server has become a replica: its address, or the sentinels, lead to the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    lazyConnect: false,
  };
  const { url } = config.redis;
  const more = socketOf(url) ?? sentinelOptionsOf(url);
  const redis = more ? new Redis({ ...options, ...more }) : new Redis(url, options);
  // Without a listener a lost connection would crash the process; the state is checked where it matters
  // (readiness, dispatch).
  redis.on('error', () => {});
  letDuplicatesWait(redis);
  if (config.metrics.port > 0) measure(redis);
  return redis;
}

/**
 * BullMQ makes a duplicate for each worker, on which it waits for jobs. Such a command says nothing about the
 * server, so that the duplicate lets go of a silent one together with its original.
 */
function letDuplicatesWait(redis: Redis): void {
  const duplicate: (override: RedisOptions) => Redis = redis.duplicate.bind(redis);
  redis.duplicate = ((override) => {
    const copy = duplicate({ socketTimeout: silentWaitMs, ...override });
    redis.on('reconnecting', () => copy.stream?.destroy());
    return copy;
  }) as Redis['duplicate'];
}

function retryStrategy(attempt: number): number {
  return Math.min(50 * attempt, 1_000);
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
        (error: unknown) => {
          end('failed');
          const reason = refusalOf(error);
          if (reason) redisRefusals.add({ reason });
        },
      );
    }
    return sent;
  };
}

/** Why Redis refuses writes while it answers reads, by the code of its error. */
const refusals = { OOM: 'memory', MISCONF: 'disk', READONLY: 'read_only' } as const;

/** The error of a script has the code of the command in it, after a text that depends on the version. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = /\b(?:OOM|MISCONF|READONLY)\b/.exec(error.message)?.[0] as keyof typeof refusals | undefined;
  return code && refusals[code];
}

/**
 * Parses a `unix:` URL. ioredis does not know the scheme: it takes it for a host, and does not decode the
 * path.
 */
function socketOf(url: string): Pick<RedisOptions, 'path' | 'db'> | undefined {
  if (!/^unix:/i.test(url)) return undefined;
  const { pathname, searchParams } = new URL(url);
  return { path: decodeURIComponent(pathname), db: Number(searchParams.get('db') ?? 0) };
}

function sentinelOptionsOf(url: string): RedisOptions | undefined {
  const parsed = parseSentinelUrl(url);
  if (!parsed) return undefined;
  const { isEncrypted, ...address } = parsed;
  return {
    ...address,
    Connector: FailoverConnector,
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: 2_000,
    ...(isEncrypted && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

export type { Redis };
