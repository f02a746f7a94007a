import { closeJobs, connectJobs, gitJobs, startWorker } from '@bindery/jobs';
import { connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';
import { createLogger, loadConfig, reportReady, stopOnSignals } from '@bindery/runtime';
import { createGridFsBlobStore } from '@bindery/storage';
import { createImportRepository } from './importRepository.ts';
import { createRepositoryReader } from './repository/repositoryReader.ts';
import { removeLeftFolders } from './workFolder.ts';

const config = loadConfig();
const logger = createLogger(config, { app: 'worker-git' });
await connectMongo(config);
connectJobs(config);
await removeLeftFolders();
const reader = createRepositoryReader({ prewarm: true, memoryMb: config.git.memoryMb });
const worker = await startWorker(
  gitJobs,
  { importRepository: createImportRepository({ config, reader, blobs: createGridFsBlobStore(mongoDatabase()) }) },
  { app: 'worker-git', concurrency: config.jobs.concurrency, config, logger },
);
stopOnSignals(logger, {
  timeoutMs: config.jobs.shutdownGraceMs + 15_000,
  stop: async () => {
    await worker.stop(config.jobs.shutdownGraceMs);
    reader.close();
    await closeJobs();
    await disconnectMongo();
  },
});
logger.info({ worker: worker.id }, 'the git worker is ready');
reportReady();
