import { mongoDatabase } from '@bindery/models';
import {
  createBlobStore,
  migrateBlobs,
  removeReplaced,
  sizeReplaced,
  type BlobStore,
  type BlobStoreSettings,
} from '@bindery/storage';
import { abortOn } from '../launcher/stopSignal.ts';
import { dataOption, parseOptions, type Usage } from '../options.ts';
import { parseBlobConfig } from '../parseConfig.ts';
import { Refusal } from '../refusal.ts';
import { showProgress } from './api/showProgress.ts';
import { withDatabase } from './openDatabase.ts';
import { requireAccess } from './requireAccess.ts';

const migrateUsage = {
  command: 'storage migrate',
  options: {
    to: { value: 'STORE', help: 'The store to copy the files to: s3 or gridfs.' },
    'remove-source': { help: 'Remove the former copies afterwards, of this run and of earlier ones.' },
    ...dataOption,
  },
} satisfies Usage;

export const storageUsages: readonly Usage[] = [migrateUsage];

const titles = { gridfs: 'MongoDB', s3: 'S3' };

/** @returns 1 when files could not be copied, or the command was stopped, else 0 */
export async function storage(
  [verb, ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (verb !== 'migrate')
    throw new Refusal(verb ? `"storage ${verb}" is not a command.` : '`bindery storage` needs a verb.', [
      'Write `bindery storage migrate`; see `bindery storage migrate --help`.',
    ]);
  const { values } = parseOptions(migrateUsage, args);
  const { to } = values;
  if (to !== 'gridfs' && to !== 's3') throw new Refusal('--to must be s3 or gridfs.');
  const { blobStore, s3 } = parseBlobConfig(environment);
  if (!s3)
    throw new Refusal('No bucket is set.', [
      'Set BINDERY_S3_BUCKET and the variables beside it, as for the running platform (docs/storage.md).',
    ]);
  return withDatabase({ data: values.data, environment }, async () => {
    const blobs = createBlobStore(mongoDatabase(), { s3 });
    await requireAccess(blobs);
    await blobs.prepare();
    const isComplete = await migrate(to, s3);
    if (blobStore !== to)
      console.log(
        `BINDERY_BLOB_STORE is ${blobStore} here. As long as the platform uses that store, new files go there: change it, restart all processes, and run this again.`,
      );
    if (!isComplete) return 1;
    if (values['remove-source']) await remove(blobs);
    else await tellRemovable();
    return 0;
  });
}

/** @returns whether all files are in that store now, as far as their bytes are good */
async function migrate(to: 'gridfs' | 's3', s3: NonNullable<BlobStoreSettings['s3']>): Promise<boolean> {
  const signal = abortOn(['SIGINT', 'SIGTERM']);
  const bar = showProgress(process.stderr);
  try {
    const { progress, corrupt } = await migrateBlobs(mongoDatabase(), {
      to,
      s3,
      signal,
      onProgress: ({ files, ofFiles }) => bar.show({ stage: 'copy', done: files, total: ofFiles }),
    });
    bar.end();
    console.log(
      `Copied ${progress.files} files (${megabytes(progress.sizeBytes)}) to ${titles[to]}, each with the expected hash.`,
    );
    for (const key of corrupt)
      console.log(
        `FIX ${key}: its stored bytes are missing or wrong; restore them from a backup. Not copied.`,
      );
    return corrupt.length === 0;
  } catch (error) {
    bar.end();
    if (!signal.aborted) throw error;
    console.log('Stopped. Run it again: it goes on with the files that are left.');
    return false;
  }
}

async function tellRemovable(): Promise<void> {
  const { files, sizeBytes } = await sizeReplaced(mongoDatabase());
  if (files > 0)
    console.log(
      `${files} former copies (${megabytes(sizeBytes)}) are still stored: --remove-source removes them.`,
    );
}

async function remove(blobs: BlobStore): Promise<void> {
  const { files } = await sizeReplaced(mongoDatabase());
  const removed = await removeReplaced(mongoDatabase(), blobs);
  const waiting = Math.max(0, files - removed);
  console.log(
    `Removed ${removed} former copies.${waiting > 0 ? ` ${waiting} were copied within the last hour, and may still be read: a sweep removes them.` : ''}`,
  );
}

function megabytes(sizeBytes: number): string {
  return `${(sizeBytes / 1024 ** 2).toFixed(1)} MB`;
}
