import { readdirSync, readFileSync } from 'node:fs';

// Linux's /proc; elsewhere it lists no processes. A process may end at any moment, and may belong to another
// user: unreadable data is empty.

export function processIds(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** Returns the command line with spaces between its arguments; empty for a zombie. */
export function commandOf(pid: number): string {
  return read(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/** Returns the name of the program, also of a zombie. */
export function nameOf(pid: number): string {
  return read(pid, 'comm').trim();
}

/** Returns the initial environment of a process, as `NAME=value`. */
export function environmentOf(pid: number): string[] {
  return read(pid, 'environ').split('\0');
}

export type ProcessNumbers = {
  state: string;
  parent: number;
  group: number;
  session: number;
  processorMs: number;
};

/** `processorMs` is the time of the process and of its ended children. */
export function numbersOf(pid: number | `${number}/task/${string}` | 'self'): ProcessNumbers | undefined {
  const stat = read(pid, 'stat');
  if (!stat) return undefined;
  // The second field is the program's name in parentheses and may contain anything: the first one here is the
  // third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent, group, session] = fields.slice(1, 4).map(Number) as [number, number, number];
  return {
    state: fields[0]!,
    parent,
    group,
    session,
    processorMs: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0),
  };
}

/** Linux counts in hundredths of a second. */
const tickMs = 10;

/** Returns the letter of the state of each thread. */
export function threadStatesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(
      (thread) => numbersOf(`${pid}/task/${thread}`)?.state ?? [],
    );
  } catch {
    return [];
  }
}

/** Returns the peak memory of a process; NaN if unknown, which is below no bound. */
export function peakBytesOf(pid: number | 'self'): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? Number.NaN) * 1024;
}

/** Returns the present memory of a process; NaN if unknown. */
export function residentBytesOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? Number.NaN) * 1024;
}

function read(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
