import { mongoDatabase, withTransaction } from '@bindery/models';
import { connectRedis, newId, type Config } from '@bindery/runtime';
import { Queue, QueueEvents } from 'bullmq';

export type FloorJob = { _id: string; state: string; epoch: number; input: unknown; createdAt: Date };

/**
 * The minimum cost of a durable job with these stores: one transaction of two inserts, one add, one claim,
 * one finish, one event.
 */
export function openFloor(config: Config) {
  const queue = new Queue('floor', { connection: connectRedis(config, 'producer') });
  const events = new QueueEvents('floor', { connection: connectRedis(config, 'worker') });
  const jobs = mongoDatabase().collection<FloorJob>('floorJobs');
  const subjects = mongoDatabase().collection<{ _id: string }>('floorSubjects');
  const waiting = new Map<string, () => void>();
  events.on('completed', ({ jobId }) => {
    waiting.get(jobId)?.();
    waiting.delete(jobId);
  });
  const accept = async (n: number) => {
    const id = newId();
    await withTransaction(async (session) => {
      await subjects.insertOne({ _id: id }, { session });
      await jobs.insertOne(
        { _id: id, state: 'queued', epoch: 0, input: { n }, createdAt: new Date() },
        { session },
      );
    });
    await queue.add('job', { id }, { jobId: id });
    return id;
  };
  return {
    jobs,
    ready: () => events.waitUntilReady(),
    accept,
    acceptAndWait: async (n: number) => {
      const id = newId();
      const seen = new Promise<void>((resolve) => waiting.set(id, resolve));
      await withTransaction(async (session) => {
        await subjects.insertOne({ _id: id }, { session });
        await jobs.insertOne(
          { _id: id, state: 'queued', epoch: 0, input: { n }, createdAt: new Date() },
          { session },
        );
      });
      await queue.add('job', { id }, { jobId: id });
      await seen;
    },
    close: async () => {
      await events.close();
      await queue.close();
    },
  };
}
