// A worker for jobs that are quick and whose effects can be counted, started as a process like those of the platform.
import { setTimeout as delay } from 'node:timers/promises';
import { closeJobs, connectJobs, startWorker } from '@bindery/jobs';
import { connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';
import { createLogger, loadConfig, newId, reportReady, stopOnSignals } from '@bindery/runtime';
import { effectCollection, effectJobs } from './effectJobs.ts';

const config = loadConfig();
const logger = createLogger(config, { app: 'effect-worker' });
await connectMongo(config);
connectJobs(config);
const effects = mongoDatabase().collection<{ _id: string; job: string; epoch: number }>(effectCollection);
const worker = await startWorker(
  effectJobs,
  {
    makeEffect: async ({ workMs, endsItsWorker }, { job, signal }) => {
      if (endsItsWorker) setTimeout(() => process.kill(process.pid, 'SIGKILL'), workMs / 2);
      await delay(workMs, undefined, { signal });
      return {
        result: {},
        publish: async (session) => void (await effects.insertOne({ _id: newId(), job: job._id, epoch: job.epoch }, { session })),
      };
    },
  },
  { app: 'effect-worker', concurrency: config.jobs.concurrency, config, logger },
);
stopOnSignals(logger, {
  timeoutMs: config.jobs.shutdownGraceMs + 15_000,
  stop: async () => {
    await worker.stop(config.jobs.shutdownGraceMs);
    await closeJobs();
    await disconnectMongo();
  },
});
reportReady();
