import { connectMongo, disconnectMongo, requireUsableDatabase } from '@bindery/models';
import { scrubSecrets, messageOf } from '@bindery/runtime';
import { homeFolder } from '../launcher/data-folder/folders.ts';
import { readRunFile } from '../launcher/data-folder/runFile.ts';
import { refuseUnusable } from '../launcher/upgradeDatabase.ts';
import { Refusal } from '../refusal.ts';

/**
 * Runs `work` with a connection to the database of an installation: the one named by MONGODB_URI, else the
 * one run by `bindery up`.
 *
 * @param anySchema  also a database that a later version of Bindery has upgraded, or that a restore has not
 *   completed
 * @throws Refusal when there is neither
 */
export async function withDatabase<T>(
  {
    data,
    environment,
    anySchema = false,
  }: { data: string | undefined; environment: NodeJS.ProcessEnv; anySchema?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const folder = homeFolder(data);
  const uri = environment.MONGODB_URI || readRunFile(folder)?.mongodbUri;
  if (!uri) {
    throw new Refusal(`No installation runs in ${folder}.`, [
      'Start it (`npm start`) and try again in another terminal; with its own folder, add the same `--data DIR` here.',
      'Or set MONGODB_URI to the database of an installation elsewhere.',
    ]);
  }
  try {
    await connectMongo({ mongo: { uri } }, { timeoutMs: 5_000 });
  } catch (error) {
    throw new Refusal(
      `The database at ${scrubSecrets(uri)} does not answer: ${scrubSecrets(messageOf(error))}`,
      [
        environment.MONGODB_URI
          ? 'Check MONGODB_URI.'
          : 'Start Bindery again: the last run did not stop properly.',
      ],
      { cause: error },
    );
  }
  try {
    if (!anySchema) await requireUsableDatabase().catch(refuseUnusable);
    return await work();
  } finally {
    await disconnectMongo();
  }
}
