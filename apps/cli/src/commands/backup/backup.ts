import { mongoDatabase } from '@bindery/models';
import { keyIdOf } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import type { Manifest } from '../../backup/manifest.ts';
import { createProgress } from '../../backup/progress.ts';
import { takeBackup } from '../../backup/takeBackup.ts';
import { verifyBackup } from '../../backup/verifyBackup.ts';
import { homeFolder } from '../../launcher/data-folder/folders.ts';
import { findSecretKey } from '../../launcher/data-folder/secrets.ts';
import { StopRequest } from '../../launcher/stopSignal.ts';
import { dataOption, parseOptions, type Usage } from '../../options.ts';
import { parseBlobConfig } from '../../parseConfig.ts';
import { Refusal } from '../../refusal.ts';
import { withDatabase } from '../openDatabase.ts';
import { requireAccess } from '../requireAccess.ts';
import { describe, folderOf, listenForStop, tell } from './operands.ts';

const takeUsage = {
  command: 'backup',
  operands: '<folder>',
  options: dataOption,
} satisfies Usage;

const verifyUsage = {
  command: 'backup verify',
  operands: '<folder>',
  options: {},
} satisfies Usage;

export const backupUsages: readonly Usage[] = [takeUsage, verifyUsage];

/**
 * Takes or verifies a backup.
 *
 * @returns 0 when all is well, 2 when content was missing or damaged in the installation already
 */
export async function backup(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [verb, ...rest] = args;
  return verb === 'verify' ? verify(rest) : take(args, environment);
}

async function take(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(takeUsage, args);
  const folder = folderOf(operands, takeUsage);
  const signal = listenForStop();
  const key = await findSecretKey(homeFolder(values.data), environment);
  try {
    const manifest = await withDatabase({ data: values.data, environment }, async () => {
      const blobs = createBlobStore(mongoDatabase(), parseBlobConfig(environment));
      await requireAccess(blobs);
      return takeBackup(folder, {
        blobs,
        secretKeyId: key && keyIdOf(Buffer.from(key, 'hex')),
        progress: createProgress(tell, signal),
        signal,
      });
    });
    console.log(`${folder}: ${describe(manifest)}`);
    return warnOfMissing(manifest.missing);
  } catch (error) {
    const isStopped = signal.aborted && signal.reason instanceof StopRequest;
    throw isStopped ? new Refusal('The backup was stopped; nothing is left of it.') : error;
  }
}

async function verify(args: readonly string[]): Promise<number> {
  const { operands } = parseOptions(verifyUsage, args);
  const folder = folderOf(operands, verifyUsage);
  const { manifest, missing } = await verifyBackup(folder, createProgress(tell));
  if (missing > manifest.missing.count)
    throw new Refusal(`The backup names ${missing} pieces of content that it does not have.`, [
      'Use another backup.',
    ]);
  console.log(`${folder} is complete: ${describe(manifest)}`);
  return warnOfMissing(manifest.missing);
}

/** The rest of a damaged installation is worth a backup, but nobody may take it for a whole one. */
function warnOfMissing({ count, examples }: Manifest['missing']): number {
  if (count === 0) return 0;
  tell(
    `The installation named ${count} pieces of content that it did not have, or whose bytes are damaged; \`bindery doctor --storage\` tells where:`,
  );
  for (const example of examples.slice(0, 10)) tell(`  ${example}`);
  return 2;
}
