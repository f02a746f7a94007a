import { readFileSync } from 'node:fs';

/** Proportional memory (PSS) of a process in megabytes: its own, and its share of what others use too. */
export function pssOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
  } catch {
    // It has just ended.
    return 0;
  }
}
