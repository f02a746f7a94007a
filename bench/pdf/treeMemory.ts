import { readFileSync } from 'node:fs';
import { browserProcesses } from '../../test/support/pdf/browserProcesses.ts';

/** Proportional memory (PSS) of all processes of the browsers that a process started, in megabytes. */
export function treeMemory(worker: number): number {
  return browserProcesses(worker).reduce((sum, pid) => sum + pssOf(pid), 0);
}

function pssOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
  } catch {
    // It has just ended.
    return 0;
  }
}
