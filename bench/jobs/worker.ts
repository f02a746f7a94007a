import { connectJobs, startWorker } from '@bindery/jobs';
import { connectMongo } from '@bindery/models';
import { createLogger, loadConfig } from '@bindery/runtime';
import { concurrency, noopJobs } from './noopJob.ts';

const config = loadConfig();
await connectMongo(config);
connectJobs(config);
const start = () =>
  startWorker(
    noopJobs,
    { doNothing: async ({ n }) => ({ result: { n } }) },
    { app: 'bench', concurrency, config, logger: createLogger(config, { app: 'bench' }) },
  );
process.on('message', () => void start().then(() => process.send?.('started')));
process.send?.('ready');
