import { closeJobs, connectJobs, gitJobs, startWorker, wikiImportJobs } from '@bindery/jobs';
import { connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';
import { createLogger, loadConfig, removeLeftFolders, reportReady, stopOnSignals } from '@bindery/runtime';
import { createGridFsBlobStore } from '@bindery/storage';
import { createExportRepository } from './exportRepository.ts';
import { createImportRepository } from './importRepository.ts';
import { createRepositoryReader } from './repository/repositoryReader.ts';
import { createImportWiki } from './wiki/importWiki.ts';

const config = loadConfig();
const logger = createLogger(config, { app: 'worker-git' });
await connectMongo(config);
connectJobs(config);
await removeLeftFolders('git');
await removeLeftFolders('import');
const reader = createRepositoryReader({ prewarm: true, memoryMb: config.git.memoryMb });
const blobs = createGridFsBlobStore(mongoDatabase());
const worker = await startWorker(
  { ...gitJobs, ...wikiImportJobs },
  {
    importRepository: createImportRepository({ config, reader, blobs }),
    exportRepository: createExportRepository({ config, reader, blobs }),
    importWiki: createImportWiki({ config, blobs }),
  },
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
