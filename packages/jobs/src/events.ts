import { EventEmitter } from 'node:events';
import { connectRedis, type Config, type Redis } from '@bindery/runtime';
import { jobClient } from './client.ts';

/** What travels over Redis when a job changes: its id, never its content. */
type JobMessage = { id: string; type: 'changed' | 'cancel' };

function channelOf(config: Config): string {
  return `${config.redis.prefix}:jobs`;
}

/** Tells every process that a job changed. A lost message costs time only: watchers and workers also look for themselves. */
export function announce(id: string, type: JobMessage['type'] = 'changed'): void {
  const { config, redis } = jobClient();
  if (redis.status !== 'ready') return;
  redis.publish(channelOf(config), JSON.stringify({ id, type } satisfies JobMessage)).catch(() => {});
}

/** A process's ear for changes of jobs, on a connection of its own. */
export type JobFeed = {
  /** Yields at once and then whenever the job may have changed, at the latest every `pollMs`; ends when `signal` aborts. */
  watch(id: string, signal: AbortSignal, pollMs?: number): AsyncGenerator<void>;
  onCancel(listener: (id: string) => void): void;
  close(): void;
};

export function openJobFeed(config: Config): JobFeed {
  const redis: Redis = connectRedis(config, 'worker');
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  redis.subscribe(channelOf(config)).catch(() => {});
  redis.on('message', (_channel: string, text: string) => {
    const message = parse(text);
    if (!message) return;
    emitter.emit(message.type === 'cancel' ? 'cancel' : `changed ${message.id}`, message.id);
    if (message.type === 'cancel') emitter.emit(`changed ${message.id}`, message.id);
  });
  return {
    async *watch(id, signal, pollMs = 2_000) {
      const event = `changed ${id}`;
      let wake = Promise.withResolvers<void>();
      const ring = () => wake.resolve();
      // The listener is there before the first look, so that no change falls between the two.
      emitter.on(event, ring);
      signal.addEventListener('abort', ring, { once: true });
      const poll = setInterval(ring, pollMs);
      try {
        while (!signal.aborted) {
          // Changes that come while the watcher looks are one more look.
          wake = Promise.withResolvers<void>();
          yield;
          await wake.promise;
        }
      } finally {
        clearInterval(poll);
        emitter.off(event, ring);
        signal.removeEventListener('abort', ring);
      }
    },
    onCancel: (listener) => void emitter.on('cancel', listener),
    close: () => redis.disconnect(),
  };
}

function parse(text: string): JobMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value && 'id' in value && typeof value.id === 'string' && 'type' in value) return value as JobMessage;
  } catch {
    // Somebody else's text on our channel.
  }
  return undefined;
}
