import { gitJobs, startWorker } from '@bindery/jobs';
import { createLogger, type Logger } from '@bindery/runtime';
import { createExportRepository } from '../../../apps/worker-git/src/sync/export/exportRepository.ts';
import { createImportRepository } from '../../../apps/worker-git/src/sync/import/importRepository.ts';
import type { TestApi } from '../apiServer.ts';
import { startGitServer } from './gitServer.ts';
import { it } from '../it.ts';
import { createLeavingReader } from './readHere.ts';

/**
 * Starts a git worker in the process of a test, beside its API.
 *
 * @param hasProcesses  reads and writes repositories in child processes, as in production, instead of in this
 *   one; until `readHere`
 */
export async function startGitWorker(
  { config, blobs }: Pick<TestApi, 'config' | 'blobs'>,
  {
    logger = createLogger(config, { app: 'test' }),
    hasProcesses = false,
  }: { logger?: Logger; hasProcesses?: boolean } = {},
): Promise<{ readHere(): Promise<void>; stop(): Promise<void> }> {
  const reader = createLeavingReader(
    hasProcesses ? { prewarm: true, memoryMb: config.git.memoryMb } : undefined,
  );
  const worker = await startWorker(
    gitJobs,
    {
      importRepository: createImportRepository({ config, reader, blobs }),
      exportRepository: createExportRepository({ config, reader, blobs }),
    },
    { app: 'test', concurrency: 2, config, logger },
  );
  return {
    readHere: reader.readHere,
    stop: async () => {
      await worker.stop(1_000);
      await reader.close();
    },
  };
}

/** The `it` of tests of an API with a git worker and a git server: `gitServer`. */
export const itWithGit = it
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('gitServer', { scope: 'file' }, async ({}, { onCleanup }) => {
    const gitServer = await startGitServer();
    onCleanup(gitServer.close);
    return gitServer;
  })
  .extend('environment', { scope: 'file' }, ({ gitServer }) => ({
    BINDERY_OUTBOUND_ALLOW: gitServer.hostPort,
  }))
  .extend('worker', { scope: 'file', auto: true }, async ({ api }, { onCleanup }) => {
    const worker = await startGitWorker(api);
    onCleanup(worker.stop);
    return worker;
  });
