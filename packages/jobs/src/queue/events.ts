import { connectRedis, type Config, type Redis } from '@bindery/runtime';
import { jobClient } from './client.ts';
import { createFollowedJobs, type FollowedJobs } from './followedJobs.ts';

/** The message over Redis when jobs change: their ids, never their content. */
type JobMessage = { ids: readonly string[]; type: 'changed' | 'cancel' };

function channelOf(config: Config): string {
  return `${config.redis.prefix}:jobs`;
}

/** The ids to announce at the end of this turn of the event loop, by type. */
let owed: Map<JobMessage['type'], Set<string>> | undefined;

/**
 * Tells all processes that jobs changed. Jobs that change together are announced in one message. A lost
 * message costs only time: watchers and workers also poll.
 */
export function announce(ids: string | readonly string[], type: JobMessage['type'] = 'changed'): void {
  const { config, redis } = jobClient();
  if (redis.status !== 'ready') return;
  if (!owed) {
    owed = new Map();
    // After all promises that are settled by now, such as those of the ends written in one update.
    process.nextTick(() => publishOwed(redis, channelOf(config)));
  }
  const ofType = owed.get(type) ?? new Set();
  owed.set(type, ofType);
  for (const id of [ids].flat()) ofType.add(id);
}

function publishOwed(redis: Redis, channel: string): void {
  const messages = owed ?? [];
  owed = undefined;
  for (const [type, ids] of messages)
    redis.publish(channel, JSON.stringify({ ids: [...ids], type } satisfies JobMessage)).catch(() => {});
}

/** A process's subscription to changes of jobs, on a connection of its own. */
export type JobFeed = Pick<FollowedJobs, 'follow'> & {
  onCancel(listener: (id: string) => void): void;
  close(): void;
};

export function openJobFeed(config: Config): JobFeed {
  const redis: Redis = connectRedis(config, 'worker');
  const jobs = createFollowedJobs();
  const cancelListeners: ((id: string) => void)[] = [];
  redis.subscribe(channelOf(config)).catch(() => {});
  redis.on('message', (_channel: string, text: string) => {
    const message = parse(text);
    if (!message) return;
    for (const id of message.ids) {
      jobs.noteChange(id);
      if (message.type === 'cancel') for (const listener of cancelListeners) listener(id);
    }
  });
  return {
    follow: jobs.follow,
    onCancel: (listener) => void cancelListeners.push(listener),
    close: () => {
      jobs.close();
      redis.disconnect();
    },
  };
}

function parse(text: string): JobMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value && 'ids' in value && Array.isArray(value.ids) && 'type' in value)
      return value as JobMessage;
  } catch {
    // A foreign message on our channel.
  }
  return undefined;
}
