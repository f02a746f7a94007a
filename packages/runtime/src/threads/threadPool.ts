import type { ResourceLimits } from 'node:worker_threads';
import { createPersistentThread, type PersistentThread } from './persistentThread.ts';

/**
 * Threads that are lent to one job at a time. Idle ones are kept: their modules are loaded, and their code is
 * compiled by use.
 */
export type ThreadPool<Request, Answer> = {
  /** Starts the idle threads in advance. */
  start(): void;
  take(): PersistentThread<Request, Answer>;
  /**
   * Keeps a thread for the next job, unless there are enough, or the job has left it with requests.
   *
   * @returns whether it is kept; otherwise it has ended
   */
  giveBack(thread: PersistentThread<Request, Answer>): Promise<boolean>;
  /** Ends all threads, also those that are lent. */
  close(): Promise<void>;
};

/** @param kept  the number of idle threads that are kept */
export function createThreadPool<Request, Answer>(
  script: URL,
  { resourceLimits, kept }: { resourceLimits: ResourceLimits; kept: number },
): ThreadPool<Request, Answer> {
  const idle: PersistentThread<Request, Answer>[] = [];
  const lent = new Set<PersistentThread<Request, Answer>>();
  const create = () => createPersistentThread<Request, Answer>(script, { resourceLimits });
  return {
    start: () => {
      while (idle.length < kept) idle.push(create());
      for (const thread of idle) thread.start();
    },
    take: () => {
      const thread = idle.pop() ?? create();
      lent.add(thread);
      return thread;
    },
    giveBack: async (thread) => {
      lent.delete(thread);
      const isKept = idle.length < kept && thread.waiting === 0 && !thread.isClosed;
      if (isKept) idle.push(thread);
      else await thread.close();
      return isKept;
    },
    close: async () => {
      await Promise.all([...idle.splice(0), ...lent].map(async (thread) => thread.close()));
    },
  };
}
