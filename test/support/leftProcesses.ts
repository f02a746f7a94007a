import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@bindery/runtime';
import { commandOf, environmentOf, numbersOf, processIds } from './processes/procfs.ts';

const projectFolder = resolve(import.meta.dirname, '../..');
/** Children need a moment to notice the end of their parent. */
const patienceMs = 10_000;

type Left = { pid: number; command: string };

/**
 * Marks every process that the tests start from now on, through the inherited environment.
 *
 * @returns a function that finds those still running after a moment; on Linux only, elsewhere it finds none
 */
export function watchProcesses(): () => Promise<Left[]> {
  const mark = `BINDERY_SUITE_RUN=${newId()}`;
  process.env.BINDERY_SUITE_RUN = mark.slice(mark.indexOf('=') + 1);
  const earlier = new Set(processIds());
  return async () => {
    const endMs = performance.now() + patienceMs;
    for (;;) {
      const left = processIds()
        .filter((pid) => pid !== process.pid && !earlier.has(pid))
        .flatMap((pid) => leftProcess(pid, mark) ?? []);
      if (left.length === 0 || performance.now() > endMs) return left;
      await delay(100);
    }
  };
}

/**
 * A process with the mark, or an orphan of ours: processes that read untrusted bytes inherit no environment.
 */
function leftProcess(pid: number, mark: string): Left | undefined {
  const command = commandOf(pid);
  // Vitest ends its own processes later.
  if (command === '' || command === 'vitest-watchdog' || command.includes('/vitest/dist/workers/'))
    return undefined;
  const isOrphan = command.includes(projectFolder) && numbersOf(pid)?.parent === 1;
  return isOrphan || environmentOf(pid).includes(mark) ? { pid, command } : undefined;
}
