import { readFileSync } from 'node:fs';
import { ForksPoolWorker, type PoolRunnerInitializer, type PoolTask } from 'vitest/node';
import { isIn, programFolders } from './folderSequencer.ts';

/** Loading the platform anew takes two seconds of processor time; a hundred starts of programs cost as much more in a process of this size. */
const maxBytes = 450 * 1024 * 1024;
const pageBytes = 4096;

/**
 * Test processes that run one file after the other; one that has grown starts no programs any more.
 *
 * Node starts a program by a copy of its own process, which takes some 50 ms for each gigabyte of it: tests that start many, as those with git do,
 * took five times as long in a test process that had run a hundred files before.
 */
export function smallForks(): PoolRunnerInitializer {
  return { name: 'smallForks', createPoolWorker: (options) => new SmallFork(options) };
}

class SmallFork extends ForksPoolWorker {
  override readonly name = 'smallForks';

  canReuse({ context }: PoolTask): boolean {
    // To tests that start no programs it makes no difference what their process has in memory.
    if (!context.files.some(({ filepath }) => isIn(programFolders, filepath))) return true;
    const { pid } = this['fork'] as { pid?: number };
    try {
      const [, residentPages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
      return Number(residentPages) * pageBytes < maxBytes;
    } catch {
      // Elsewhere than on Linux.
      return true;
    }
  }
}
