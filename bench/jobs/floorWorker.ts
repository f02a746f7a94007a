import { connectMongo, mongoDatabase } from '@bindery/models';
import { connectRedis, loadConfig } from '@bindery/runtime';
import { Worker } from 'bullmq';
import { concurrency } from './noopJob.ts';
import type { FloorJob } from './floor.ts';

const config = loadConfig();
await connectMongo(config);
const jobs = mongoDatabase().collection<FloorJob>('floorJobs');
const start = async () => {
  const worker = new Worker(
    'floor',
    async (message) => {
      await jobs.findOneAndUpdate(
        { _id: message.data.id, state: 'queued' },
        { $set: { state: 'running', startedAt: new Date() }, $inc: { epoch: 1 } },
      );
      await jobs.updateOne(
        { _id: message.data.id, state: 'running', epoch: 1 },
        { $set: { state: 'succeeded', finishedAt: new Date() } },
      );
    },
    { connection: connectRedis(config, 'worker'), concurrency, removeOnComplete: { count: 1_000 } },
  );
  await worker.waitUntilReady();
};
process.on('message', () => void start().then(() => process.send?.('started')));
process.send?.('ready');
