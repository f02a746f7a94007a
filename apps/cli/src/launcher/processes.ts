import { readFileSync } from 'node:fs';

/** A process that is told apart from a later one with the same number, where the system says when it started. */
export type ProcessIdentity = { pid: number; startedAt?: string };

export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

export function identityOf(pid: number): ProcessIdentity {
  const startedAt = startOf(pid);
  return { pid, ...(startedAt && { startedAt }) };
}

/** Whether that very process still runs. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return startedAt === undefined || startOf(pid) === startedAt;
}

/** Field 22 of Linux's stat: the start in clock ticks since boot. A zombie counts as gone. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
