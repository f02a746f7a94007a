import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** How a process ended: `text` for the person at the terminal; `reason` for everybody, without addresses, paths or secrets. */
export type End = { text: string; reason: string };

/** How a process ended, once it has, with its last output read. */
export async function ended(child: ChildProcess): Promise<End> {
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
    return { text: error.message, reason: `cannot be started${error.code === undefined ? '' : `: ${error.code}`}` };
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // A grandchild may hold the pipes open for longer; its output is not waited for.
  if (!child.stdout?.closed) await Promise.race([once(child, 'close'), delay(200)]);
  const text = child.signalCode ?? `exit code ${child.exitCode}`;
  return { text, reason: text };
}

/** Kills what is left of a group; a group that is gone is what was wanted. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
