import { readFileSync } from 'node:fs';
import { ForksPoolWorker, type PoolRunnerInitializer } from 'vitest/node';

/** Loading the platform anew takes a second; some 20 starts of programs cost as much in a process of this size as in one that is empty. */
const maxBytes = 350 * 1024 * 1024;
const pageBytes = 4096;

/**
 * Test processes that run one file after the other until they have grown.
 *
 * Node starts a program by a copy of its own process, which takes some 50 ms for each gigabyte of it: tests that start many, as those with git do,
 * took five times as long in a test process that had run a hundred files before.
 */
export function smallForks(): PoolRunnerInitializer {
  return { name: 'smallForks', createPoolWorker: (options) => new SmallFork(options) };
}

class SmallFork extends ForksPoolWorker {
  override readonly name = 'smallForks';

  canReuse(): boolean {
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
