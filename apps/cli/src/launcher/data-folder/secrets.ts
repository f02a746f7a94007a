import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSecretKey } from '@bindery/runtime';
import { Refusal } from '../../refusal.ts';

/**
 * Returns the key that seals credentials: from the environment, else from the data folder, where the first
 * start creates it.
 *
 * @returns 64 hexadecimal characters
 */
export async function secretKey(folder: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const kept = await findSecretKey(folder, environment);
  if (kept !== undefined) return kept;
  const made = generateSecretKey();
  await writeOwn(keyPath(folder), made);
  return made;
}

/** Returns the key as `secretKey` does, but creates none. */
export async function findSecretKey(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (environment.BINDERY_SECRET_KEY) return environment.BINDERY_SECRET_KEY;
  const path = keyPath(folder);
  const kept = await readOwn(path);
  // A new key would make every sealed credential unreadable.
  if (kept !== undefined && !/^[0-9a-f]{64}$/i.test(kept))
    throw new Refusal(`${path} does not hold 64 hexadecimal characters.`, [
      'Put the key back from a backup.',
    ]);
  return kept;
}

function keyPath(folder: string): string {
  return join(folder, 'secret.key');
}

export function tokenPath(folder: string): string {
  return join(folder, 'token');
}

/** Returns the admin token stored by an earlier start. */
export function keptToken(folder: string): Promise<string | undefined> {
  return readOwn(tokenPath(folder));
}

export async function keepToken(folder: string, token: string): Promise<void> {
  await writeOwn(tokenPath(folder), token);
}

async function readOwn(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file that is readable only by its owner from the first moment, and whole after a crash. */
async function writeOwn(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, `${text}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
