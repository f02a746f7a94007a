import { readFileSync } from 'node:fs';
import { ForksPoolWorker, type PoolRunnerInitializer, type PoolTask } from 'vitest/node';
import { programFolders } from './folderSequencer.ts';
import { isIn } from './timedFiles.ts';

/**
 * The size at which a new process pays off: loading the platform again takes two seconds of processor time,
 * as much as a hundred program starts cost extra in a process of this size.
 */
const maxBytes = 450 * 1024 * 1024;
const pageBytes = 4096;

/**
 * A pool of test processes that run one file at a time; a large one is replaced before files that start
 * programs.
 *
 * Node starts a program by copying its own process, which takes some 50 ms per gigabyte: tests that start
 * many programs, such as git, took five times as long in a test process that had run a hundred files before.
 */
export function smallForks(): PoolRunnerInitializer {
  return { name: 'smallForks', createPoolWorker: (options) => new SmallFork(options) };
}

class SmallFork extends ForksPoolWorker {
  override readonly name = 'smallForks';

  canReuse({ context }: PoolTask): boolean {
    // The memory of their process does not affect tests that start no programs.
    if (!context.files.some(({ filepath }) => isIn(programFolders, filepath))) return true;
    const { pid } = this['fork'] as { pid?: number };
    try {
      const [, residentPages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
      return Number(residentPages) * pageBytes < maxBytes;
    } catch {
      // Outside Linux.
      return true;
    }
  }
}
