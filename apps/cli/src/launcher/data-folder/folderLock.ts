import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../refusal.ts';
import { isRunning, ownIdentity, type ProcessIdentity, messageOf } from '@bindery/runtime';

/**
 * Makes this process the only launcher of a folder. The lock of a dead owner is taken over.
 *
 * @returns a function that releases the lock
 * @throws Refusal when another launcher runs in the folder
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lock = join(folder, 'lock');
  const own = join(folder, `lock.${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Written to a temporary file and linked, so that a lock is never seen without its owner.
    await writeFile(own, JSON.stringify(ownIdentity()), { mode: 0o600 });
  } catch (error) {
    throw new Refusal(
      `${folder} cannot hold the data: ${messageOf(error)}`,
      ['Choose another folder: `--data DIR`.'],
      {
        cause: error,
      },
    );
  }
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
      await takeAway(lock, { own, expected: text });
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

/**
 * Of several processes that find a dead owner's lock, only the one with a second lock removes it, after
 * checking again: another may have been faster.
 */
async function takeAway(lock: string, { own, expected }: { own: string; expected: string }): Promise<void> {
  const takeover = `${lock}.takeover`;
  if (!(await tryLink(own, takeover))) {
    const made = await stat(takeover).catch(() => undefined);
    // The second lock is held only briefly: an old one is from a launcher that died in between.
    if (made && Date.now() - made.mtimeMs > 10_000) await rm(takeover, { force: true });
    await delay(20);
    return;
  }
  try {
    if ((await readFile(lock, 'utf8').catch(() => undefined)) === expected) await rm(lock);
  } finally {
    await rm(takeover, { force: true });
  }
}

function parseOwner(text: string): ProcessIdentity | undefined {
  try {
    const owner: unknown = JSON.parse(text);
    return typeof owner === 'object' && owner && 'pid' in owner && typeof owner.pid === 'number'
      ? (owner as ProcessIdentity)
      : undefined;
  } catch {
    return undefined;
  }
}
