import { readdirSync, readFileSync } from 'node:fs';

/**
 * Identifies a process; the start time, if the system reports it, separates it from a later one with the same
 * number.
 */
export type ProcessIdentity = { pid: number; startedAt?: string };

export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

export function identityOf(pid: number): ProcessIdentity {
  const stat = statOf(pid);
  return { pid, startedAt: stat?.state === 'Z' ? undefined : stat?.startedAt };
}

/** Whether exactly this process still runs. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  const stat = statOf(pid);
  // A zombie has its number until its parent asks for its end.
  if (stat?.state === 'Z') return false;
  return startedAt === undefined || stat?.startedAt === startedAt;
}

/** A line of Linux's /proc/<pid>/stat; `startedAt` in clock ticks since boot. A zombie has the state Z. */
export type ProcessStat = { state: string; parent: number; group: number; startedAt: string };

/** @returns undefined for a process that has ended, and without /proc */
export function statOf(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns the most bytes of memory that a process has had; undefined when it has ended, and without /proc.
 */
export function peakMemoryOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}

function parseStat(stat: string): ProcessStat {
  // The second field is the program's name in parentheses and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    startedAt: fields[19] ?? '',
  };
}

/**
 * Whether any process of the groups or the user runs, zombies excluded. An unreadable process counts as
 * running.
 *
 * @returns undefined without /proc
 */
export function runsAnything({
  groups,
  uid,
}: {
  groups: ReadonlySet<number>;
  uid?: number | undefined;
}): boolean | undefined {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.length === 0 ? undefined : pids.some((pid) => belongs(pid, { groups, uid }));
  } catch (error) {
    return isGone(error) ? undefined : true;
  }
}

/** Reads the user from `status`: the folder in /proc belongs to root once a process has changed its user. */
function belongs(
  pid: string,
  { groups, uid }: { groups: ReadonlySet<number>; uid: number | undefined },
): boolean {
  try {
    if (groups.size > 0) {
      const { state, group } = parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
      if (groups.has(group)) return state !== 'Z' && state !== 'X';
    }
    if (uid === undefined) return false;
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return new RegExp(`^Uid:.*\\b${uid}\\b`, 'm').test(status) && !/^State:\s+[ZX]/m.test(status);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}
