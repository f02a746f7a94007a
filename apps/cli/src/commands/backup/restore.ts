import { mongoDatabase } from '@bindery/models';
import { keyIdOf } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { readManifest, type Manifest } from '../../backup/manifest.ts';
import { createProgress } from '../../backup/progress.ts';
import { restoreBackup } from '../../backup/restoreBackup.ts';
import { homeFolder, prepareFolders } from '../../launcher/data-folder/folders.ts';
import { findSecretKey } from '../../launcher/data-folder/secrets.ts';
import { failureText, keepPrograms, type Run } from '../../launcher/run.ts';
import { startStores } from '../../launcher/startStores.ts';
import { StopRequest } from '../../launcher/stopSignal.ts';
import { parseOptions, type Usage } from '../../options.ts';
import { parseBlobConfig } from '../../parseConfig.ts';
import { Refusal } from '../../refusal.ts';
import { reportStorage } from '../checkStorage.ts';
import { withDatabase } from '../openDatabase.ts';
import { requireAccess } from '../requireAccess.ts';
import { describe, folderOf, listenForStop, tell } from './operands.ts';

export const restoreUsage = {
  command: 'restore',
  operands: '<folder>',
  options: {
    data: {
      value: 'DIR',
      help: 'Folder of an installation that does not run (default: .bindery in the project).',
    },
  },
} satisfies Usage;

/**
 * Restores a backup, and checks the result as `bindery doctor --storage` does.
 *
 * @returns 0 when all content is there, 2 when some was missing before the backup
 */
export async function restore(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(restoreUsage, args);
  const folder = folderOf(operands, restoreUsage);
  const manifest = await readManifest(folder);
  const failure = new AbortController();
  const stop = listenForStop();
  const signal = AbortSignal.any([stop, failure.signal]);
  const programs = keepPrograms({
    say: tell,
    isTerminal: process.stderr.isTTY,
    onChange: () => {},
    onFailed: (problem) => failure.abort(new Refusal(failureText(problem))),
  });
  const undo = new AsyncDisposableStack();
  const run: Run = { environment, signal, say: tell, undo, keep: programs.keep };
  try {
    const uri = environment.MONGODB_URI || (await startMongodb(run, values.data));
    let code = 0;
    const where = { data: values.data, environment: { ...environment, MONGODB_URI: uri }, anySchema: true };
    await withDatabase(where, async () => {
      const settings = parseBlobConfig(environment);
      const blobs = createBlobStore(mongoDatabase(), settings);
      await requireAccess(blobs);
      const hasBucket = settings.s3 !== undefined;
      const check = async () => void (code = await reportStorage(blobs, { hasBucket }));
      await restoreBackup(folder, { manifest, blobs, progress: createProgress(tell, signal), check });
    });
    console.log(`${folder} is restored: ${describe(manifest)}`);
    const key = await findSecretKey(homeFolder(values.data), environment);
    for (const line of aboutKey(manifest, key && keyIdOf(Buffer.from(key, 'hex')))) tell(line);
    return code === 0 ? 0 : 2;
  } catch (error) {
    throw stop.aborted && stop.reason instanceof StopRequest
      ? new Refusal('The restore was stopped: the database is incomplete, and nothing starts on it.', [
          'Restore again: that empties it first.',
        ])
      : error;
  } finally {
    await undo.disposeAsync();
  }
}

/** Starts the stores of a data folder for the time of the restore. @returns the URL of its MongoDB */
async function startMongodb(run: Run, data: string | undefined): Promise<string> {
  const folders = await prepareFolders({ data, ephemeral: false }, run.undo);
  return (await startStores(run, { folder: folders.data, isEphemeral: false })).mongodbUri;
}

/** @param present  the id of the key that this installation will use, if it is known */
function aboutKey({ secretKeyId }: Manifest, present: string | undefined): string[] {
  if (secretKeyId === undefined || secretKeyId === present) return [];
  return [
    `Credentials in it were sealed with the key ${secretKeyId}; this installation has ${present ?? 'none yet'}.`,
    'Before the first start give it that key, as BINDERY_SECRET_KEY or BINDERY_SECRET_KEY_PREVIOUS, or with `npm start` as the file secret.key in the data folder. Without it logins and secrets must be entered again.',
  ];
}
