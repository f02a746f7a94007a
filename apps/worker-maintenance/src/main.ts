import { closeJobs, connectJobs, contentImportJobs, startSweeper, startWorker } from '@bindery/jobs';
import { connectMongo, disconnectMongo, ensureIndexes, mongoDatabase, upgradeRecords } from '@bindery/models';
import { createLogger, loadConfig, removeLeftFolders, reportReady, stopOnSignals } from '@bindery/runtime';
import { createGridFsBlobStore } from '@bindery/storage';
import { createImportContent } from './import/importContent.ts';
import { startPurge } from './purgeSpaces.ts';
import { startIndexer } from './startIndexer.ts';
import { startWebhooks } from './webhooks/startWebhooks.ts';

const config = loadConfig();
const logger = createLogger(config, { app: 'worker-maintenance' });
await connectMongo(config);
await ensureIndexes();
await upgradeRecords();
const blobs = createGridFsBlobStore(mongoDatabase());
await blobs.prepare();
connectJobs(config);
await removeLeftFolders('import');
const stopSweeper = startSweeper({ config, logger });
const stopPurge = startPurge({ config, logger });
const stopIndexer = startIndexer({ logger });
const stopWebhooks = startWebhooks({ config, logger });
const worker = await startWorker(
  contentImportJobs,
  { importContent: createImportContent({ config, blobs }) },
  { app: 'worker-maintenance', concurrency: config.jobs.concurrency, config, logger },
);
stopOnSignals(logger, {
  timeoutMs: config.jobs.shutdownGraceMs + 15_000,
  stop: async () => {
    await worker.stop(config.jobs.shutdownGraceMs);
    await Promise.all([stopSweeper(), stopPurge(), stopIndexer(), stopWebhooks()]);
    await closeJobs();
    await disconnectMongo();
  },
});
logger.info('the maintenance worker is ready');
reportReady();
