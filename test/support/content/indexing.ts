import { mongoDatabase, publishRevision, withTransaction, type SpaceRecord } from '@bindery/models';
import { createLogger, type Config } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { requestMissingIndexes } from '../../../apps/worker-maintenance/src/requestMissingIndexes.ts';
import { indexNext } from '../../../apps/worker-maintenance/src/startIndexer.ts';
import { buildRevision, type TestPage } from '../factories.ts';

/** Indexes everything for search, as the maintenance worker would. */
export async function indexEverything(config: Config): Promise<void> {
  const signal = new AbortController().signal;
  await requestMissingIndexes(signal);
  await indexWhatWaits(config);
}

/** Indexes the spaces that wait for the indexer. */
export async function indexWhatWaits(config: Config): Promise<void> {
  const logger = createLogger(config, { app: 'test' });
  const blobs = createBlobStore(mongoDatabase(), config.storage);
  while (await indexNext({ logger, blobs, signal: new AbortController().signal }));
}

/**
 * Publishes these pages as the main content of a space, with the usual follow-up. @returns the space after it
 */
export async function publishPages(
  space: SpaceRecord,
  pages: TestPage[],
  more: Pick<NonNullable<Parameters<typeof buildRevision>[1]>, 'files' | 'redirects'> = {},
): Promise<SpaceRecord> {
  const revision = await buildRevision(space, { ...more, pages, publish: false });
  const isDone = await withTransaction((session) =>
    publishRevision({ space, from: space.revision, to: revision._id, by: 'nobody' }, session),
  );
  if (!isDone) throw new Error(`The space ${space._id} has changed meanwhile.`);
  return { ...space, revision: revision._id };
}
