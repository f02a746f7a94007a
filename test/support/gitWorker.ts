import { gitJobs, startWorker } from '@bindery/jobs';
import { createLogger, type Logger } from '@bindery/runtime';
import { createExportRepository } from '../../apps/worker-git/src/exportRepository.ts';
import { createImportRepository } from '../../apps/worker-git/src/importRepository.ts';
import { createRepositoryReader } from '../../apps/worker-git/src/repository/repositoryReader.ts';
import type { TestApi } from './apiServer.ts';

/** A git worker in the process of a test, beside its API. */
export async function startGitWorker(
  { config, blobs }: Pick<TestApi, 'config' | 'blobs'>,
  logger: Logger = createLogger(config, { app: 'test' }),
): Promise<{ stop(): Promise<void> }> {
  const reader = createRepositoryReader({ prewarm: true, memoryMb: config.git.memoryMb });
  const worker = await startWorker(
    gitJobs,
    {
      importRepository: createImportRepository({ config, reader, blobs }),
      exportRepository: createExportRepository({ config, reader, blobs }),
    },
    { app: 'test', concurrency: 2, config, logger },
  );
  return {
    stop: async () => {
      await worker.stop(1_000);
      reader.close();
    },
  };
}
