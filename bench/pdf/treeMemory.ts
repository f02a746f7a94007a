import { browserProcesses } from '../../test/support/pdf/browserProcesses.ts';
import { pssOf } from '../support/pssOf.ts';

/** Proportional memory (PSS) of all processes of the browsers that a process started, in megabytes. */
export function treeMemory(worker: number): number {
  return browserProcesses(worker).reduce((sum, pid) => sum + pssOf(pid), 0);
}
