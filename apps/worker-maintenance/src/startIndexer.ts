import { setTimeout as delay } from 'node:timers/promises';
import { leadInTurns } from '@bindery/jobs';
import { IndexTask, type IndexTaskRecord } from '@bindery/models';
import type { Logger } from '@bindery/runtime';
import { indexSpace } from './indexSpace.ts';
import { readLinks } from './readLinks.ts';
import { requestMissingIndexes } from './requestMissingIndexes.ts';

/** A change is found by search within two seconds: this is how long nobody may have looked. */
const pollMs = 300;
const leaseMs = 10_000;
const renewMs = 3_000;
/** So many spaces at once, so that a small change need not wait for a large import. */
const spacesAtOnce = 4;
const scanMs = 10 * 60_000;

/**
 * Has search follow the content of all spaces. Any number may run: each space is given to one of them at a time, and taken away from one that died.
 *
 * @returns a function that stops it; what it is at goes on elsewhere
 */
export function startIndexer({ logger }: { logger: Logger }): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const report = (error: unknown) => {
    if (!signal.aborted) logger.warn({ err: error }, 'the indexer could not look for work; it tries again');
    return null;
  };
  const follow = async () => {
    const running = new Set<Promise<void>>();
    while (!signal.aborted) {
      const task = running.size < spacesAtOnce ? await claimTask().catch(report) : null;
      if (task) {
        const run = indexTask(task, { logger, signal }).finally(() => running.delete(run));
        running.add(run);
      } else await delay(pollMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => {});
    }
    await Promise.all(running);
  };
  const stopScan = leadInTurns('index-scan', {
    leaseMs: scanMs,
    pauseMs: scanMs,
    turn: async (turn) => {
      await requestMissingIndexes(turn.signal);
    },
    logger,
    failure: 'a look for spaces that are not indexed failed; the next one follows',
  });
  const running = follow();
  return async () => {
    stopping.abort();
    await Promise.all([running, stopScan()]);
  };
}

/** Indexes the space that waits longest. @returns whether there was one */
export async function indexNext({ logger, signal }: { logger: Logger; signal: AbortSignal }): Promise<boolean> {
  const task = await claimTask();
  if (task) await indexTask(task, { logger, signal });
  return task !== null;
}

/** Never throws: what fails is tried again when its lease ends. */
async function indexTask(task: IndexTaskRecord, { logger, signal }: { logger: Logger; signal: AbortSignal }): Promise<void> {
  const renewal = setInterval(() => void holdTask(task._id).catch(() => {}), renewMs);
  try {
    if (!(await indexSpace(task._id, { logger, signal }))) return;
    await finishTask(task);
    await readLinks(task._id, { logger, signal });
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error, space: task._id }, 'a space could not be indexed; it is tried again');
    // Another process need not wait for one that stops.
    else await releaseTask(task._id).catch(() => {});
  } finally {
    clearInterval(renewal);
  }
}

const lease = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: leaseMs } };

async function claimTask(): Promise<IndexTaskRecord | null> {
  return IndexTask.findOneAndUpdate(
    { $expr: { $lt: [{ $ifNull: ['$leaseUntil', new Date(0)] }, '$$NOW'] } },
    [{ $set: { leaseUntil: lease } }],
    { updatePipeline: true, sort: { requestedAt: 1 }, returnDocument: 'after' },
  ).lean<IndexTaskRecord>();
}

async function holdTask(_id: string): Promise<void> {
  await IndexTask.updateOne({ _id }, [{ $set: { leaseUntil: lease } }], { updatePipeline: true });
}

/** What was asked for meanwhile is done next. */
async function finishTask({ _id, version }: IndexTaskRecord): Promise<void> {
  const { deletedCount } = await IndexTask.deleteOne({ _id, version });
  if (deletedCount === 0) await releaseTask(_id);
}

async function releaseTask(_id: string): Promise<void> {
  await IndexTask.updateOne({ _id }, { $unset: { leaseUntil: 1 } });
}
