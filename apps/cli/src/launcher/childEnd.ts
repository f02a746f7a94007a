import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * The end of a process: `text` for the user at the terminal; `reason` for every reader, without addresses,
 * paths or secrets.
 */
export type End = { text: string; reason: string };

/** Waits for the end of a process and its last output, and describes it. */
export async function ended(child: ChildProcess): Promise<End> {
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
    return {
      text: error.message,
      reason: `cannot be started${error.code === undefined ? '' : `: ${error.code}`}`,
    };
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // A grandchild may keep the pipes open; its output is not awaited.
  if (!child.stdout?.closed) await Promise.race([once(child, 'close'), delay(200)]);
  const text = child.signalCode ?? `exit code ${child.exitCode}`;
  return { text, reason: text };
}

/** Kills the leftovers of a process group; a missing group is fine. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
