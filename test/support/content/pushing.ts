import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { folderJobs, startWorker } from '@bindery/jobs';
import { createLogger } from '@bindery/runtime';
import { createImportFolder } from '../../../apps/worker-git/src/folder/importFolder.ts';
import { it } from '../it.ts';
import { runBindery } from '../stores/backupCommands.ts';

/**
 * The `it` of tests that push folders, with a worker for them. Fixtures:
 *
 * - `folder`: a folder of this test; `write` writes files in it by path, and removes those that are `null`
 * - `push`: runs `bindery push` with it, into the space of the test
 */
export const itPushing = it
  .extend('worker', { scope: 'file', auto: true }, async ({ api }, { onCleanup }) => {
    const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
    const importFolder = createImportFolder({ config: api.config, blobs: api.blobs });
    const options = { app: 'test', concurrency: 2, config: api.config, logger };
    const worker = await startWorker(folderJobs, { importFolder }, options);
    onCleanup(() => worker.stop(0));
    return worker;
  })
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-push-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return join(folder, 'docs');
  })
  .extend('write', ({ folder }) => async (files: Record<string, string | Buffer | null>) => {
    for (const [path, content] of Object.entries(files)) {
      const place = join(folder, path);
      await mkdir(dirname(place), { recursive: true });
      if (content === null) await rm(place);
      else await writeFile(place, content);
    }
  })
  .extend('access', ({ api, admin }) => ({ BINDERY_API_URL: api.origin, BINDERY_TOKEN: admin.token }))
  .extend(
    'push',
    ({ access, folder, space }) =>
      async (...args: string[]) =>
        runBindery(['push', folder, '--space', space._id, ...args], access),
  );
