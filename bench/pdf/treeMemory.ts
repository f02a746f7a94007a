import { browserProcesses } from '../../test/support/pdf/browserProcesses.ts';
import { residentBytesOf } from '../../test/support/processes/procfs.ts';
import { pssOf } from '../support/pssOf.ts';

/** Megabytes: of all processes of the browsers, shared pages by their part (PSS), and of the worker (RSS). */
export type Memory = { browserMb: number; workerMb: number };

const everyMs = 200;

/**
 * Finds the largest memory of a worker and its browsers while some work runs.
 *
 * Measure no time meanwhile: reading the set of a process walks through all of its memory, takes tens of
 * milliseconds, and stops what the process does with it.
 */
export async function peakMemory(worker: number, work: () => Promise<unknown>): Promise<Memory> {
  const peak = { browserMb: 0, workerMb: 0 };
  const look = () => {
    peak.browserMb = Math.max(peak.browserMb, treeMemory(worker));
    peak.workerMb = Math.max(peak.workerMb, residentBytesOf(worker) / 2 ** 20);
  };
  const timer = setInterval(look, everyMs);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

function treeMemory(worker: number): number {
  return browserProcesses(worker).reduce((sum, pid) => sum + pssOf(pid), 0);
}
