import { setTimeout as delay } from 'node:timers/promises';
import { connectJobs, startWorker } from '@bindery/jobs';
import { connectMongo } from '@bindery/models';
import { createLogger, loadConfig } from '@bindery/runtime';
import { concurrency as most, noopJobs } from './noopJob.ts';

const config = loadConfig();
await connectMongo(config);
connectJobs(config);
const start = (concurrency = most) =>
  startWorker(
    noopJobs,
    {
      doNothing: async ({ n }) => ({ result: { n } }),
      sleep: async ({ ms }, { signal }) => {
        await delay(ms, undefined, { signal });
        return { result: {} };
      },
    },
    { app: 'bench', concurrency, config, logger: createLogger(config, { app: 'bench' }) },
  );
process.on('message', (message: 'start' | { concurrency: number }) => {
  void start(message === 'start' ? undefined : message.concurrency).then(() => process.send?.('started'));
});
process.send?.('ready');
