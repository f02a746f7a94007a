import type { ChildProcess } from 'node:child_process';
import { until } from '../until.ts';
import { threadStatesOf } from './procfs.ts';

/**
 * Stops a process, as a machine that hangs would, and resolves when none of its threads runs any more: the
 * signal reaches each thread by itself, and until then the process can still answer a request.
 */
export async function freezeProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  await until('process whose threads have all stopped', () =>
    threadStatesOf(child.pid!).every((state) => state === 'T'),
  );
}
