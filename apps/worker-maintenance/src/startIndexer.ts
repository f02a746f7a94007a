import { setTimeout as delay } from 'node:timers/promises';
import { leadInTurns } from '@bindery/jobs';
import { IndexTask, type IndexTaskRecord } from '@bindery/models';
import type { Logger } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { indexSpace } from './indexSpace.ts';
import { readLinks } from './readLinks.ts';
import { followNextSpec } from './followSpecs.ts';
import { requestMissingIndexes } from './requestMissingIndexes.ts';

/** The interval of polling; search finds a change within two seconds. */
const pollMs = 300;
const leaseMs = 10_000;
const renewMs = 3_000;
/** The number of spaces indexed at once, so that a small change need not wait for a large import. */
const spacesAtOnce = 4;
const scanMs = 10 * 60_000;

type Indexing = { logger: Logger; signal: AbortSignal; blobs: BlobStore };

/**
 * Keeps the search index of all spaces up to date. Any number of processes may call it: each space is indexed
 * by one of them at a time, and taken over from one that died.
 *
 * @returns a function that stops it; other processes continue its work
 */
export function startIndexer({ logger, blobs }: Omit<Indexing, 'signal'>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const report = (error: unknown) => {
    if (!signal.aborted) logger.warn({ err: error }, 'the indexer could not look for work; it tries again');
    return null;
  };
  const follow = async () => {
    const running = new Set<Promise<void>>();
    while (!signal.aborted) {
      await followNextSpec(signal).catch(report);
      const task = running.size < spacesAtOnce ? await claimTask().catch(report) : null;
      if (task) {
        const run = indexTask(task, { logger, signal, blobs }).finally(() => running.delete(run));
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

/** Indexes the space that has waited longest. @returns whether a space was waiting */
export async function indexNext(indexing: Indexing): Promise<boolean> {
  await followNextSpec(indexing.signal);
  const task = await claimTask();
  if (task) await indexTask(task, indexing);
  return task !== null;
}

/** Indexes a claimed space. Never throws: a failed task is retried when its lease ends. */
async function indexTask(task: IndexTaskRecord, { logger, signal, blobs }: Indexing): Promise<void> {
  const renewal = setInterval(() => void holdTask(task._id).catch(() => {}), renewMs);
  try {
    const { specs } = task;
    if (!(await indexSpace(task._id, { logger, signal, blobs, specs }))) return;
    await finishTask(task);
    await readLinks(task._id, { logger, signal });
  } catch (error) {
    if (!signal.aborted)
      logger.warn({ err: error, space: task._id }, 'a space could not be indexed; it is tried again');
    // Another process need not wait for the lease of one that stops.
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

/** Removes a finished task, unless it was requested again. */
async function finishTask({ _id, version }: IndexTaskRecord): Promise<void> {
  const { deletedCount } = await IndexTask.deleteOne({ _id, version });
  if (deletedCount === 0) await releaseTask(_id);
}

async function releaseTask(_id: string): Promise<void> {
  await IndexTask.updateOne({ _id }, { $unset: { leaseUntil: 1 } });
}
