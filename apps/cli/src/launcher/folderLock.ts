import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import { isRunning, ownIdentity, type ProcessIdentity } from './processes.ts';

/**
 * Makes this process the only launcher of a folder. A lock whose owner is gone is taken over.
 *
 * @returns a function that gives the lock back
 * @throws Refusal  when another launcher runs there
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, 'lock');
  const own = join(folder, `lock.${randomUUID()}`);
  // Written aside and linked: a lock is never seen without its owner.
  await writeFile(own, JSON.stringify(ownIdentity()), { mode: 0o600 });
  try {
    for (;;) {
      if (await tryLink(own, lock)) break;
      const text = await readFile(lock, 'utf8').catch(() => undefined);
      if (text === undefined) continue;
      const owner = parseOwner(text);
      if (owner && isRunning(owner)) {
        throw new Refusal(`Bindery already runs in ${folder} (process ${owner.pid}).`, [
          'Stop that one (Ctrl-C where it runs), or start this one with another folder: `--data DIR`, and another port: `--port N`.',
        ]);
      }
      await takeAway(lock, text);
    }
  } finally {
    await rm(own, { force: true });
  }
  return () => rm(lock, { force: true });
}

async function tryLink(own: string, lock: string): Promise<boolean> {
  return link(own, lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** Of several that find a dead owner's lock, one moves it; who moved a living one by mistake puts it back. */
async function takeAway(lock: string, expected: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => undefined);
  if (moved !== undefined && moved !== expected) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

function parseOwner(text: string): ProcessIdentity | undefined {
  try {
    const owner: unknown = JSON.parse(text);
    return typeof owner === 'object' && owner && 'pid' in owner && typeof owner.pid === 'number' ? (owner as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}
