import { closeJobs, connectJobs, startSweeper } from '@bindery/jobs';
import { connectMongo, disconnectMongo, ensureIndexes, mongoDatabase, upgradeRecords } from '@bindery/models';
import { createLogger, loadConfig, reportReady, stopOnSignals } from '@bindery/runtime';
import { createGridFsBlobStore } from '@bindery/storage';
import { startPurge } from './purgeSpaces.ts';

const config = loadConfig();
const logger = createLogger(config, { app: 'worker-maintenance' });
await connectMongo(config);
await ensureIndexes();
await upgradeRecords();
await createGridFsBlobStore(mongoDatabase()).prepare();
connectJobs(config);
const stopSweeper = startSweeper({ config, logger });
const stopPurge = startPurge({ config, logger });
stopOnSignals(logger, {
  timeoutMs: 15_000,
  stop: async () => {
    await Promise.all([stopSweeper(), stopPurge()]);
    await closeJobs();
    await disconnectMongo();
  },
});
logger.info('the maintenance worker is ready');
reportReady();
